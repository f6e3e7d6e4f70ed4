import { describe, expect, test, vi } from 'vitest';
import { variantOf } from '../../../support/entries.ts';
import {
  answerOf,
  chatJob,
  openEngine,
  reportsOf,
  stageOf,
} from '../../../support/servers/engine-site.ts';
import { fails, sends, sendsJson, type Answer } from '../../../support/servers/http-server.ts';
import { COMMIT, REPOSITORY } from '../../../support/servers/hub-server.ts';
import { NEVER } from '../../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const SHARD = '/params_shard_0.bin';
const FILES = 5;

type Site = Awaited<ReturnType<typeof openEngine>>;

const install = ({ engine }: Site, model = 'a', signal = NEVER, makeRoom = false) =>
  answerOf(engine.run({ op: 'install', model, makeRoom }, signal));

const storedPaths = async ({ weights }: Site, model = 'a') =>
  (await weights.paths(model, 'r1')).size;

/** The shard's answer waits until the test says so. */
function heldShard() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const answer: Answer = (response, request) => {
    asked.resolve();
    void promise.then(() => sends('weights')(response, request));
  };
  return { changes: { [SHARD]: answer }, release: resolve, asked: asked.promise };
}

describe('one download for all', () => {
  test('installs and requests at the same time share it, and all see its progress', async () => {
    const { changes, release, asked } = heldShard();
    const site = await openEngine(changes);
    const reports = await reportsOf(site.progress, async () => {
      const all = [
        install(site),
        install(site),
        answerOf(site.engine.run(chatJob('a', 'Hi'), NEVER)),
      ];
      await asked;
      release();
      await Promise.all(all);
    });
    const shards = site.server.requests.filter((request) => request === `GET ${SHARD}`);
    expect(shards).toHaveLength(1);
    expect(reports.some(({ stage }) => stage === 'download')).toBe(true);
  });

  test('a caller that leaves does not stop it for the others', async () => {
    const { changes, release, asked } = heldShard();
    const site = await openEngine(changes);
    const leaving = new AbortController();
    const left = install(site, 'a', leaving.signal);
    const stayed = install(site);
    await asked;
    leaving.abort(new Error('no more'));
    await expect(left).rejects.toThrow('no more');
    release();
    await stayed;
    expect(await storedPaths(site)).toBe(FILES);
  });

  test('the last caller that leaves pauses it, and it is continued later', async () => {
    const { changes, release, asked } = heldShard();
    const site = await openEngine(changes);
    const leaving = new AbortController();
    const left = install(site, 'a', leaving.signal);
    await asked;
    leaving.abort(new Error('no more'));
    await expect(left).rejects.toThrow('no more');
    await vi.waitFor(() => expect(stageOf(site.progress, 'a')).toBe('paused'));
    expect((await site.catalog.plans()).size).toBe(1);
    release();
    const before = await storedPaths(site);
    expect(before).toBeGreaterThan(0);
    site.server.requests.length = 0;
    await install(site);
    expect(site.server.requests).toHaveLength(FILES - before);
    expect((await site.catalog.plans()).size).toBe(0);
  });

  test('a download does not keep other models from answering', async () => {
    const site = await openEngine();
    await install(site, 'b');
    const { changes, release, asked } = heldShard();
    Object.assign(site.server.answers, changes);
    const waiting = answerOf(site.engine.run(chatJob('a', 'Hi'), NEVER));
    await asked;
    expect((await answerOf(site.engine.run(chatJob('b', 'Hi'), NEVER))).text).toBe('Hello there');
    release();
    expect((await waiting).text).toBe('Hello there');
  });
});

describe('pausing', () => {
  test('ends the download for every caller, with an error that says so', async () => {
    const { changes, release, asked } = heldShard();
    const site = await openEngine(changes);
    const paused = [install(site), install(site)].map((waiting) =>
      expect(waiting).rejects.toMatchObject({ data: { code: 'download_paused' } }),
    );
    await asked;
    await answerOf(site.engine.run({ op: 'pause', model: 'a' }, NEVER));
    await Promise.all(paused);
    release();
    await install(site);
    expect(await storedPaths(site)).toBe(FILES);
  });

  test('does nothing if no download is running', async () => {
    const site = await openEngine();
    await answerOf(site.engine.run({ op: 'pause', model: 'a' }, NEVER));
    await install(site);
  });
});

describe('removing', () => {
  test('deletes the received part of a download', async () => {
    const { changes, asked } = heldShard();
    const site = await openEngine(changes);
    const removed = expect(install(site)).rejects.toThrow(/was removed/);
    await asked;
    await answerOf(site.engine.run({ op: 'remove', model: 'a' }, NEVER));
    await removed;
    expect(await storedPaths(site)).toBe(0);
    expect((await site.catalog.plans()).size).toBe(0);
    expect(stageOf(site.progress, 'a')).toBe('unloaded');
  });
});

describe('space', () => {
  const full = (site: Site, free: number) => {
    const estimate = () => Promise.resolve({ quota: 1e9, usage: 1e9 - free });
    const { locks, userAgent } = navigator;
    vi.stubGlobal('navigator', { storage: { estimate }, locks, userAgent });
    return site;
  };

  test('is checked before the download', async () => {
    const site = full(await openEngine(), 12);
    await expect(install(site)).rejects.toMatchObject({
      data: { status: 500, code: 'storage_full', retryable: false },
    });
    expect(site.server.requests).toEqual([]);
  });

  test('is made on request, by removing the least recently used model', async () => {
    const site = await openEngine();
    await install(site, 'b');
    full(site, 12);
    await expect(install(site, 'a')).rejects.toMatchObject({ data: { code: 'storage_full' } });
    expect(await storedPaths(site, 'b')).toBe(FILES);
    await install(site, 'a', NEVER, true);
    expect(await storedPaths(site, 'b')).toBe(0);
    expect(await storedPaths(site, 'a')).toBe(FILES);
  });

  test('is not made by removing a loaded model', async () => {
    const site = await openEngine();
    await answerOf(site.engine.run({ op: 'load', model: 'b' }, NEVER));
    full(site, 12);
    await expect(install(site, 'a', NEVER, true)).rejects.toMatchObject({
      data: { code: 'storage_full' },
    });
    expect(await storedPaths(site, 'b')).toBe(FILES);
  });

  test('that is unknown does not prevent the download', async () => {
    const site = await openEngine();
    const { locks, userAgent } = navigator;
    vi.stubGlobal('navigator', { storage: {}, locks, userAgent });
    await install(site);
    expect(await storedPaths(site)).toBe(FILES);
  });
});

describe('a stored file', () => {
  test('that is damaged is found when it is loaded, and downloaded again', async () => {
    const site = await openEngine();
    await install(site);
    const path = 'mlc-chat-config.json';
    const { sha256 = '' } = (await site.weights.find('a', 'r1', path)) ?? {};
    await site.weights.put('a', 'r1', path, { blob: new Blob(['{"model":']), sha256 });
    site.server.requests.length = 0;
    expect((await answerOf(site.engine.run(chatJob('a', 'Hi'), NEVER))).text).toBe('Hello there');
    expect(site.server.requests).toEqual([`GET /${path}`]);
  });

  test('that cannot be downloaded again is a clear error instead of a wrong answer', async () => {
    const site = await openEngine();
    await install(site);
    await site.weights.put('a', 'r1', 'mlc-chat-config.json', {
      blob: new Blob(['{"model":']),
      sha256: 'that of the file that came',
    });
    site.server.answers['/mlc-chat-config.json'] = fails(404);
    await expect(answerOf(site.engine.run(chatJob('a', 'Hi'), NEVER))).rejects.toThrow(/HTTP 404/);
  });
});

test('after a missing file, the next attempt installs the hub’s latest commit', async () => {
  const file = (commit: string) => `/${REPOSITORY}/resolve/${commit}/mlc-chat-config.json`;
  const site = await openEngine({ [file(COMMIT)]: fails(404) });
  await expect(install(site, REPOSITORY)).rejects.toThrow(/HTTP 404/);
  expect(await site.catalog.plan(REPOSITORY)).toBeUndefined();
  const next = 'beef00';
  const paths = ['mlc-chat-config.json', 'tensor-cache.json', 'params_shard_0.bin'];
  Object.assign(site.server.answers, {
    [`/api/models/${REPOSITORY}/revision/main`]: sendsJson({ sha: next }),
    [`/api/models/${REPOSITORY}/tree/${next}?recursive=true`]: sendsJson(
      paths.map((path) => ({ type: 'file', path, size: 2 })),
    ),
  });
  for (const path of paths) {
    site.server.answers[`/${REPOSITORY}/resolve/${next}/${path}`] = sends('{}');
  }
  await install(site, REPOSITORY);
  expect(variantOf(await site.catalog.get(REPOSITORY)).installed?.revision).toBe(next);
});

describe('a request for a model that is known and not installed', () => {
  const job = chatJob(REPOSITORY, 'Hi');

  test('is 404, and says how to install it', async () => {
    const { engine } = await openEngine();
    await expect(answerOf(engine.run(job, NEVER))).rejects.toMatchObject({
      data: { status: 404, message: expect.stringContaining(`models.install('${REPOSITORY}')`) },
    });
  });

  test('waits for its download if its key may install', async () => {
    const config = sends('{"context_window_size":9,"conv_template":{"roles":{},"seps":["|"]}}');
    const path = `/${REPOSITORY}/resolve/${COMMIT}/mlc-chat-config.json`;
    const tree = ['mlc-chat-config.json', 'tensor-cache.json', 'params_shard_0.bin'];
    const listing = tree.map((file) => ({ type: 'file', path: file, size: 0 }));
    const site = await openEngine({
      [path]: config,
      [`/api/models/${REPOSITORY}/tree/${COMMIT}?recursive=true`]: sendsJson(listing),
    });
    const answer = await answerOf(site.engine.run({ ...job, autoInstall: true }, NEVER));
    expect(answer.text).toBe('Hello there');
    expect(variantOf(await site.catalog.get(REPOSITORY)).installed?.revision).toBe(COMMIT);
  });
});
