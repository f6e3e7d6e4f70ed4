import { expect, test, vi } from 'vitest';
import { HASHED_PIECE } from '../../../../../src/core/catalog/pack-file.ts';
import { blobSha256 } from '../../../../../src/core/weights/weight-store.ts';
import { answerOf, openEngine } from '../../../support/servers/engine-site.ts';
import { fails } from '../../../support/servers/http-server.ts';
import { NEVER } from '../../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const SHARD = 'params_shard_0.bin';
const DAMAGED = 'wrights';

type Site = Awaited<ReturnType<typeof openEngine>>;
type Load = (read: Read) => Promise<number | undefined>;
type Read = Parameters<Parameters<Site['installer']['loadVerified']>[1]>[0];

async function installed({ engine, installer }: Site) {
  await answerOf(engine.run({ op: 'install', model: 'a', makeRoom: false }, NEVER));
  return installer.requireModel('a', NEVER);
}

async function damaged(site: Site) {
  const model = await installed(site);
  const { sha256 = '' } = (await site.weights.find('a', 'r1', SHARD)) ?? {};
  await site.weights.put('a', 'r1', SHARD, { blob: new Blob([DAMAGED]), sha256 });
  return model;
}

const weightsOf = async (read: Read) => (await read(SHARD))?.text();

test('damaged weights are found during loading, and the model is loaded again', async () => {
  const site = await openEngine();
  const load = vi.fn<typeof weightsOf>(weightsOf);
  const model = await damaged(site);
  const loaded = await site.installer.loadVerified(model, load, NEVER, () => undefined);
  expect(loaded).toBe('weights');
  expect(await load.mock.results[0]?.value).toBe(DAMAGED);
  expect(load).toHaveBeenCalledTimes(2);
});

test('damage in a file that is too large to be read at once is found too', async () => {
  const site = await openEngine();
  const model = await installed(site);
  const bytes = new Uint8Array(33 * 1024 * 1024);
  const sha256 = await blobSha256(new Blob([bytes]));
  const load = vi.fn<Load>(async (read) => (await read(SHARD))?.size);
  const sizeLoaded = () => site.installer.loadVerified(model, load, NEVER, () => undefined);

  await site.weights.put('a', 'r1', SHARD, { blob: new Blob([bytes]), sha256 });
  expect(await sizeLoaded()).toBe(bytes.length);
  expect(load).toHaveBeenCalledTimes(1);

  bytes[bytes.length - 1] = 1;
  await site.weights.put('a', 'r1', SHARD, { blob: new Blob([bytes]), sha256 });
  expect(await sizeLoaded()).toBe('weights'.length);
});

test('damage in a file whose pieces have hashes is found by them', async () => {
  const site = await openEngine();
  const model = await installed(site);
  const bytes = new Uint8Array(HASHED_PIECE + 1);
  const pieces = [bytes.subarray(0, HASHED_PIECE), bytes.subarray(HASHED_PIECE)];
  const [sha256, ...hashes] = await Promise.all(
    [bytes, ...pieces].map((part) => blobSha256(new Blob([part]))),
  );
  const files = model.installation.files.map((file) =>
    file.path === SHARD ? { ...file, sha256, pieces: hashes } : file,
  );
  const known = { ...model, installation: { ...model.installation, files } };
  const load = vi.fn<Load>(async (read) => (await read(SHARD))?.size);
  const sizeLoaded = () => site.installer.loadVerified(known, load, NEVER, () => undefined);

  await site.weights.put('a', 'r1', SHARD, { blob: new Blob([bytes]), sha256: sha256 ?? '' });
  expect(await sizeLoaded()).toBe(bytes.length);
  expect(load).toHaveBeenCalledTimes(1);

  bytes[bytes.length - 1] = 1;
  await site.weights.put('a', 'r1', SHARD, { blob: new Blob([bytes]), sha256: sha256 ?? '' });
  expect(await sizeLoaded()).toBe('weights'.length);
});

test('a model that fails to load with damaged weights is loaded again', async () => {
  const site = await openEngine();
  const model = await damaged(site);
  const load = async (read: Read) => {
    const text = await weightsOf(read);
    if (text === DAMAGED) throw new Error('nonsense');
    return text;
  };
  expect(await site.installer.loadVerified(model, load, NEVER, () => undefined)).toBe('weights');
});

test('damaged weights that cannot be downloaded again are a clear error', async () => {
  const site = await openEngine();
  const model = await damaged(site);
  site.server.answers[`/${SHARD}`] = fails(404);
  const loading = site.installer.loadVerified(model, weightsOf, NEVER, () => undefined);
  await expect(loading).rejects.toThrow(/HTTP 404/);
});

test('a model that fails to load with intact weights is not loaded again', async () => {
  const site = await openEngine();
  const model = await installed(site);
  const load = vi.fn<typeof weightsOf>(async (read) => {
    await read(SHARD);
    throw new Error('no GPU');
  });
  const loading = site.installer.loadVerified(model, load, NEVER, () => undefined);
  await expect(loading).rejects.toThrow('no GPU');
  expect(load).toHaveBeenCalledTimes(1);
});
