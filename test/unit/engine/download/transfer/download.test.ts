import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Installation } from '../../../../../src/core/catalog/variant.ts';
import { WeightStore } from '../../../../../src/core/weights/weight-store.ts';
import { download } from '../../../../../src/engine/download/transfer/download.ts';
import { emptyDatabase } from '../../../support/database.ts';
import {
  closedServer,
  fails,
  sends,
  startServer,
  type Answer,
} from '../../../support/http-server.ts';
import { sha256 } from '../../../support/hub-server.ts';
import { NEVER } from '../../../support/never.ts';

const CONTENTS: Record<string, string> = {
  'a.json': '{}',
  'b/0.bin': 'weights',
  'c.wasm': '\0asm',
};
let store: WeightStore;

beforeEach(() => {
  store = new WeightStore(emptyDatabase());
});

/** A server with the three files, some with changed answers, and the installation that names them. */
async function serve(changes: Record<string, Answer> = {}) {
  const answers = Object.entries(CONTENTS).map(([path, content]) => [`/${path}`, sends(content)]);
  const server = await startServer({ ...Object.fromEntries(answers), ...changes });
  const files = Object.entries(CONTENTS).map(([path, content]) => ({
    path,
    size: content.length,
    sha256: sha256(content),
    url: server.url + path,
  }));
  const installation: Installation = { revision: 'r1', files };
  return { server, installation };
}

function run(installation: Installation, onBytes = vi.fn(), signal = NEVER): Promise<void> {
  return download('m', installation, store, onBytes, signal, {
    retry: { firstDelayMs: 1, attempts: 2 },
  });
}

const stored = async () => [...(await store.paths('m', 'r1'))].sort();

/** Answers when the check passes: several files come at once. */
const when =
  (check: () => unknown, answer: Answer): Answer =>
  (response, request) =>
    void vi.waitFor(check).then(() => answer(response, request));

const isStored = (path: string) => async () => expect(await stored()).toContain(path);

const engineError = (message: string) => ({
  data: { status: 500, code: 'engine_error', message: expect.stringContaining(message) },
});

describe('a download', () => {
  test('stores every file as it is', async () => {
    const { installation } = await serve();
    await run(installation);
    for (const [path, content] of Object.entries(CONTENTS)) {
      expect(await (await store.get('m', 'r1', path))?.text()).toBe(content);
    }
  });

  test('reports bytes of all files, up to the last', async () => {
    const { installation } = await serve();
    const onBytes = vi.fn<(loaded: number, total: number) => void>();
    await run(installation, onBytes);
    const loaded = onBytes.mock.calls.map(([bytes]) => bytes);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    expect(onBytes).toHaveBeenLastCalledWith(13, 13);
  });

  test('of stored files requests nothing', async () => {
    const { server, installation } = await serve();
    await run(installation);
    server.requests.length = 0;
    await run(installation);
    expect(server.requests).toEqual([]);
  });

  test('continues file by file, and counts the files that it has', async () => {
    let isBroken = true;
    const flaky: Answer = (response, request) =>
      isBroken ? response.destroy() : sends(CONTENTS['b/0.bin'] ?? '')(response, request);
    const { server, installation } = await serve({ '/b/0.bin': when(isStored('a.json'), flaky) });
    await expect(run(installation)).rejects.toMatchObject(engineError('/b/0.bin'));
    const whole = await stored();
    isBroken = false;
    server.requests.length = 0;
    const onBytes = vi.fn<(loaded: number, total: number) => void>();
    await run(installation, onBytes);
    const rest = Object.keys(CONTENTS).filter((path) => !whole.includes(path));
    expect(server.requests.toSorted()).toEqual(rest.map((path) => `GET /${path}`));
    const wholeBytes = whole.map((path) => CONTENTS[path] ?? '').join('').length;
    expect(onBytes.mock.calls[0]?.[0]).toBeGreaterThan(wholeBytes);
    expect(await stored()).toEqual(Object.keys(CONTENTS));
  });

  test('receives two files at a time, and the next while those are still being stored', async () => {
    const [first, second, third] = Object.keys(CONTENTS).map((path) => `GET /${path}`);
    const bothOpen = vi.fn<() => void>();
    const areBothOpen = vi.waitFor(() => expect(bothOpen).toHaveBeenCalledTimes(2));
    const withTheOther =
      (path: string): Answer =>
      (response, request) => {
        bothOpen();
        void areBothOpen.then(() => sends(CONTENTS[path] ?? '')(response, request));
      };
    const paths = ['a.json', 'b/0.bin'];
    const { server, installation } = await serve(
      Object.fromEntries(paths.map((path) => [`/${path}`, withTheOther(path)])),
    );
    void areBothOpen.then(() => expect(server.requests.toSorted()).toEqual([first, second]));
    const complete = store.complete.bind(store);
    store.complete = async (...file) => {
      await vi.waitFor(() => expect(server.requests).toContain(third));
      return complete(...file);
    };
    await run(installation);
    expect(await stored()).toEqual(Object.keys(CONTENTS));
  });

  test('of a file of unknown size and hash accepts any bytes', async () => {
    const { server } = await serve();
    const files = [{ path: 'c.wasm', size: 0, url: `${server.url}c.wasm` }];
    await run({ revision: 'r1', files });
    expect(await stored()).toEqual(['c.wasm']);
  });
});

describe('a download fails and stores nothing of the file', () => {
  test('when it is missing', async () => {
    const { installation } = await serve({ '/b/0.bin': fails(404) });
    await expect(run(installation)).rejects.toMatchObject(engineError('/b/0.bin: HTTP 404'));
    expect(await stored()).not.toContain('b/0.bin');
  });

  test('when it has other bytes', async () => {
    const { installation } = await serve({ '/b/0.bin': sends('wEIGHTS') });
    await expect(run(installation)).rejects.toMatchObject(
      engineError(`SHA-256 ${sha256('wEIGHTS')}, expected ${sha256('weights')}`),
    );
    expect(await stored()).not.toContain('b/0.bin');
  });

  test('when it is too short', async () => {
    const { installation } = await serve({ '/b/0.bin': sends('weig') });
    await expect(run(installation)).rejects.toMatchObject(engineError('4 of 7 bytes'));
    expect(await stored()).not.toContain('b/0.bin');
  });

  test('when it is too short and its hash is unknown', async () => {
    const { server } = await serve({ '/b/0.bin': sends('weig') });
    const files = [{ path: 'b/0.bin', size: 7, url: `${server.url}b/0.bin` }];
    const outcome = run({ revision: 'r1', files });
    await expect(outcome).rejects.toMatchObject(engineError('4 of 7 bytes'));
  });

  test('when it is too long', async () => {
    const { installation } = await serve({ '/b/0.bin': sends('weights and more') });
    await expect(run(installation)).rejects.toMatchObject(engineError('more than 7 bytes'));
    expect(await stored()).not.toContain('b/0.bin');
  });

  test('when its transfer is interrupted', async () => {
    const { installation } = await serve({
      '/b/0.bin': (response) => {
        response.writeHead(200, { 'content-length': '7' }).write('wei');
        response.destroy();
      },
    });
    await expect(run(installation)).rejects.toMatchObject(engineError('Could not download'));
    expect(await stored()).not.toContain('b/0.bin');
  });

  test('when the server cannot be reached', async () => {
    const url = `${await closedServer()}a.json`;
    const files = [{ path: 'a.json', size: 2, url }];
    const outcome = run({ revision: 'r1', files });
    await expect(outcome).rejects.toMatchObject(engineError(url));
  });
});

test('a cancelled download fails with the reason, and keeps complete files', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const { installation } = await serve({
    '/b/0.bin': when(isStored('a.json'), (response) => {
      response.writeHead(200, { 'content-length': '7' }).write('wei');
      controller.abort(reason);
    }),
  });
  await expect(run(installation, vi.fn(), controller.signal)).rejects.toBe(reason);
  const whole = await stored();
  expect(whole).toContain('a.json');
  expect(whole).not.toContain('b/0.bin');
});

test('while one file waits for its server, another is received', async () => {
  const { installation } = await serve({ '/a.json': when(isStored('c.wasm'), sends('{}')) });
  await run(installation);
  expect(await stored()).toEqual(Object.keys(CONTENTS));
});

test('a file that fails stops the one beside it, whose received part is kept', async () => {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const onBytes = vi.fn();
  const { installation } = await serve({
    '/a.json': (response) => {
      response.on('close', resolve).writeHead(200, { 'content-length': '2' }).write('{');
    },
    '/b/0.bin': when(() => expect(onBytes).toHaveBeenCalled(), fails(404)),
  });
  await expect(run(installation, onBytes)).rejects.toMatchObject(engineError('/b/0.bin: HTTP 404'));
  await stopped;
  expect(await store.received(['m', 'r1', 'a.json'])).toBe(1);
});

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
