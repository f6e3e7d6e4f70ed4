import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchServed, SilentServer } from '../../../../src/core/site/fetch-served.ts';
import { serveNothing } from '../../support/servers/silent-server.ts';

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
    serveNothing();
    const failed = expect(fetchServed(FILE)).rejects.toThrow(SilentServer);
    await vi.advanceTimersByTimeAsync(20_000);
    await failed;
  });

  test('is asked for once more, past the HTTP cache, if there is no answer for five seconds', async () => {
    const asked: unknown[] = [];
    vi.stubGlobal('fetch', (_url: URL, init: { cache: RequestCache; signal: AbortSignal }) => {
      asked.push(init.cache);
      if (init.cache === 'no-store') return Promise.resolve(new Response('late'));
      const { promise, reject } = Promise.withResolvers<never>();
      init.signal.addEventListener('abort', () => reject(init.signal.reason as Error));
      return promise;
    });
    const fetched = fetchServed(FILE);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await fetched).toMatchObject({ bytes: new TextEncoder().encode('late') });
    expect(asked).toEqual(['default', 'no-store']);
  });

  test.each<[string, () => Promise<Response>]>([
    ['before it answers', () => Promise.reject(new TypeError('Failed to fetch'))],
    [
      'within its answer',
      () =>
        Promise.resolve(
          new Response(new ReadableStream({ start: (at) => at.error(new TypeError('network')) })),
        ),
    ],
  ])('is asked for once more if the connection breaks %s', async (_, breakOff) => {
    const answers = [breakOff, () => Promise.resolve(new Response('whole'))];
    vi.stubGlobal('fetch', () => answers.shift()?.());
    const bytes = new TextEncoder().encode('whole');
    expect(await fetchServed(FILE)).toMatchObject({ bytes, isSecond: false });
    expect(answers).toEqual([]);
  });

  test('cannot be had if the connection breaks twice', async () => {
    const broken = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    vi.stubGlobal('fetch', broken);
    await expect(fetchServed(FILE)).rejects.toThrow('Failed to fetch');
    expect(broken).toHaveBeenCalledTimes(2);
  });

  test('cannot be had from a server that falls silent', async () => {
    const writer = serve();
    const failed = expect(fetchServed(FILE)).rejects.toThrow(SilentServer);
    void writer.write(Uint8Array.of(1)).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(15_000);
    await failed;
  });
});
