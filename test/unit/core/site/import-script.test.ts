import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SilentServer } from '../../../../src/core/site/fetch-served.ts';
import { importScript } from '../../../../src/core/site/import-script.ts';
import { serveNothing } from '../../support/servers/silent-server.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A script at an address of its own. */
function scriptOf(code: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(`${code}//${crypto.randomUUID()}`)}`);
}

test('a script that the check refuses is imported once more, from another address', async () => {
  const check = vi.fn((module: unknown) => {
    if (check.mock.calls.length === 1) throw new Error('A damaged copy.');
    return Reflect.get(Object(module), 'one') as unknown;
  });
  expect(await importScript(scriptOf('export const one = 1;'), check)).toBe(1);
});

test('a script that never comes is given up once the server was silent for 20 seconds', async () => {
  const { requests } = serveNothing();
  const endless = scriptOf('await new Promise(() => undefined);');
  const failed = expect(importScript(endless, () => 1)).rejects.toThrow(SilentServer);
  await vi.advanceTimersByTimeAsync(25_000);
  await failed;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests).toEqual([endless.href, endless.href]);
});

test('a script that never comes is given up if the server answers other requests only', async () => {
  vi.stubGlobal('fetch', (_url: URL, { cache, signal }: { cache: string; signal: AbortSignal }) => {
    if (cache === 'no-store') return Promise.resolve(new Response('export {};'));
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  });
  const endless = scriptOf('await new Promise(() => undefined);');
  const failed = expect(importScript(endless, () => 1)).rejects.toThrow('only other requests');
  await vi.advanceTimersByTimeAsync(30_000);
  await failed;
});
