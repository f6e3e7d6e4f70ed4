import { beforeEach, describe, expect, test, vi } from 'vitest';
import { closedServer, fails, sends, type Answer } from '../../../support/servers/http-server.ts';
import { sha256 } from '../../../support/servers/hub-server.ts';
import { CONTENTS, freshStore, run, serve, store, stored } from './download-site.ts';

beforeEach(freshStore);

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
