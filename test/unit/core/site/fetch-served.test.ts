import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchServed } from '../../../../src/core/site/fetch-served.ts';

const FILE = new URL('https://site.example/engine.js');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Answers the next request with a body that the test writes. */
function serve(): WritableStreamDefaultWriter<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  vi.stubGlobal('fetch', (_url: URL, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener('abort', () => void writer.abort(signal.reason));
    return Promise.resolve(new Response(readable, { status: 200 }));
  });
  return writer;
}

describe('a file of the site', () => {
  test('is had whole, however slowly it comes', async () => {
    const writer = serve();
    const fetched = fetchServed(FILE);
    for (const byte of [1, 2, 3]) {
      await vi.advanceTimersByTimeAsync(14_000);
      void writer.write(Uint8Array.of(byte));
    }
    void writer.close();
    expect(await fetched).toMatchObject({ status: 200, bytes: Uint8Array.of(1, 2, 3) });
  });

  test('cannot be had from a server that says nothing', async () => {
    vi.stubGlobal(
      'fetch',
      (_url: URL, { signal }: { signal: AbortSignal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    );
    const failed = expect(fetchServed(FILE)).rejects.toThrow('aborted');
    await vi.advanceTimersByTimeAsync(15_000);
    await failed;
  });

  test('cannot be had from a server that falls silent', async () => {
    const writer = serve();
    const failed = expect(fetchServed(FILE)).rejects.toThrow('aborted');
    void writer.write(Uint8Array.of(1)).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(15_000);
    await failed;
  });
});
