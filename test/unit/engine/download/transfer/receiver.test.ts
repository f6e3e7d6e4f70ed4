import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Installation } from '../../../../../src/core/catalog/variant.ts';
import { download } from '../../../../../src/engine/download/transfer/download.ts';
import { sends } from '../../../support/servers/http-server.ts';
import { sha256 } from '../../../support/servers/hub-server.ts';
import { NEVER } from '../../../support/never.ts';
import { CONTENTS, freshStore, run, serve, store } from './download-site.ts';

beforeEach(freshStore);

describe('what receives a download too', () => {
  /** A receiver that notes the content of each file, and whether it was given up. */
  function receiver() {
    const got: Record<string, string> = {};
    const giveUp = vi.fn<() => void>();
    const take = async (path: string, pieces: Uint8Array<ArrayBuffer>[]) => {
      for (const piece of pieces) {
        got[path] = (got[path] ?? '') + Buffer.from(piece).toString();
        // Detaches the bytes, as a receiver may.
        piece.buffer.transfer(0);
      }
      return undefined;
    };
    return { got, giveUp, receiver: { take, giveUp } };
  }

  const receive = (installation: Installation, to: ReturnType<typeof receiver>) =>
    download('m', installation, store, vi.fn(), NEVER, {
      retry: { firstDelayMs: 1, attempts: 2 },
      receiver: to.receiver,
    });

  test('gets each file as it is, and it is stored all the same', async () => {
    const { installation } = await serve();
    const to = receiver();
    await receive(installation, to);
    expect(to.got).toEqual(CONTENTS);
    expect(to.giveUp).not.toHaveBeenCalled();
    expect(await (await store.get('m', 'r1', 'b/0.bin'))?.text()).toBe('weights');
  });

  test('gets the rest of a file after a broken connection', async () => {
    let isBroken = true;
    const { installation } = await serve({
      '/b/0.bin': (response, request) => {
        const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
        const range = { 'content-range': `bytes ${start}-6/7` };
        response.writeHead(start > 0 ? 206 : 200, { 'content-length': 7 - start, ...range });
        if (!isBroken) return response.end('weights'.slice(start));
        isBroken = false;
        response.write('wei', () => response.destroy());
      },
    });
    const to = receiver();
    await receive(installation, to);
    expect(to.got['b/0.bin']).toBe('weights');
    expect(to.giveUp).not.toHaveBeenCalled();
  });

  test('is given up if a file is stored already', async () => {
    const { installation } = await serve();
    await run({ ...installation, files: installation.files.slice(0, 1) });
    const to = receiver();
    await receive(installation, to);
    expect(to.giveUp).toHaveBeenCalled();
  });

  test('is given up if a part of a file is stored already', async () => {
    const { installation } = await serve();
    await store.append(['m', 'r1', 'b/0.bin'], 0, { blob: new Blob(['wei']) });
    const to = receiver();
    await receive(installation, to);
    expect(to.giveUp).toHaveBeenCalled();
  });

  test('is given up if a file has the wrong bytes at first', async () => {
    let count = 0;
    const { installation } = await serve({
      '/b/0.bin': (...args) => sends(count++ === 0 ? 'wrights' : 'weights')(...args),
    });
    const to = receiver();
    await receive(installation, to);
    expect(to.giveUp).toHaveBeenCalled();
  });
});

test('time that the disk takes is not taken for silence of the network', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const content = 'x'.repeat(20 * 1024 * 1024);
  const isWaiting = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  const append = store.append.bind(store);
  vi.spyOn(store, 'append').mockImplementation(async (...args) => {
    await slow.promise;
    await append(...args);
  });
  const { server } = await serve({ '/large.bin': sends(content) });
  const file = { path: 'large.bin', size: content.length, url: `${server.url}large.bin` };
  const installation = { revision: 'r1', files: [{ ...file, sha256: sha256(content) }] };
  let segments = 0;
  const take = () => {
    // The next thing that the transfer waits for is the first of these writes.
    if (++segments === 3) isWaiting.resolve();
    return Promise.resolve(undefined);
  };
  const running = download('m', installation, store, vi.fn(), NEVER, {
    receiver: { take, giveUp: vi.fn() },
  });
  await isWaiting.promise;
  vi.advanceTimersByTime(120_000);
  slow.resolve();
  await running;
  expect(server.requests).toEqual(['GET /large.bin']);
});
