import { beforeEach, expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../../src/core/catalog/catalog-entry.ts';
import { CatalogStore } from '../../../../../src/core/catalog/catalog-store.ts';
import type { Device } from '../../../../../src/core/fit/device-fit.ts';
import { WeightStore } from '../../../../../src/core/weights/weight-store.ts';
import { ProgressBoard } from '../../../../../src/engine/scheduling/progress-board.ts';
import { Installer } from '../../../../../src/engine/download/installer/installer.ts';
import { tidyWeights } from '../../../../../src/engine/download/installer/tidy-weights.ts';
import { emptyDatabase } from '../../../support/database.ts';
import { hubEntry, packEntry, variantOf } from '../../../support/entries.ts';
import { sends, startServer } from '../../../support/servers/http-server.ts';
import { NEVER } from '../../../support/never.ts';

let open: ReturnType<typeof emptyDatabase>;
let catalog: CatalogStore;
let weights: WeightStore;
let installer: Installer;
let device: Device;

/** A model that was added, with a half-precision variant, and a full-precision one for other GPUs. */
function modelAt(url: string): CatalogEntry {
  const files = [{ path: 'a.bin', size: 1 }];
  const variant = (revision: string, quantization: string) => {
    const made = packEntry('m', revision, { quantization, files, url: `${url}${revision}/` });
    return { ...variantOf(made), id: revision };
  };
  return { ...hubEntry('m'), variants: [variant('half', 'q4f16_1'), variant('full', 'q4f32_1')] };
}

beforeEach(async () => {
  open = emptyDatabase();
  catalog = new CatalogStore(open);
  weights = new WeightStore(open);
  const server = await startServer({ '/half/a.bin': sends('h'), '/full/a.bin': sends('f') });
  await catalog.put(modelAt(server.url));
  const plan = () => Promise.reject(new Error('No hub.'));
  installer = new Installer({
    catalog,
    weights,
    progress: new ProgressBoard(),
    base: server.url,
    engines: { webllm: { plan }, llamacpp: { plan }, onnx: { plan } },
    device: () => Promise.resolve(device),
  });
});

const stored = async (revision: string) => (await weights.paths('m', revision)).size;

const installedIds = async () =>
  (await catalog.get('m'))?.variants.flatMap(({ id, installed }) => (installed ? [id] : []));

test('the variant that fits the device is installed, and no other', async () => {
  device = { hasF16: false };
  const { variant } = await installer.install('m', NEVER);
  expect(variant).toMatchObject({ id: 'full', installed: { revision: 'full' } });
  expect([await stored('half'), await stored('full')]).toEqual([0, 1]);
});

test('an installed variant is used, although the device could run a better one', async () => {
  device = { hasF16: false };
  await installer.install('m', NEVER);
  device = { hasF16: true };
  expect((await installer.requireModel('m', NEVER)).variant.id).toBe('full');
  expect(await installedIds()).toEqual(['full']);
});

test('a second variant does not remove the first, and both are kept when weights are tidied', async () => {
  device = { hasF16: true };
  await installer.install('m', NEVER);
  device = { hasF16: false };
  await installer.install('m', NEVER);
  await tidyWeights(open);
  expect(await installedIds()).toEqual(['half', 'full']);
  expect([await stored('half'), await stored('full')]).toEqual([1, 1]);
});

test('removing a model removes all of its variants', async () => {
  for (const hasF16 of [true, false]) {
    device = { hasF16 };
    await installer.install('m', NEVER);
  }
  await installer.remove('m');
  expect(await installedIds()).toEqual([]);
  expect([await stored('half'), await stored('full')]).toEqual([0, 0]);
});

const REFUSED = { data: { code: 'webgpu_unavailable', status: 500 } };

test('a model that this GPU cannot run is refused before its download', async () => {
  const entry = await catalog.get('m');
  await catalog.put({ ...hubEntry('m'), variants: entry?.variants.slice(0, 1) ?? [] });
  device = { hasF16: false };
  await expect(installer.install('m', NEVER)).rejects.toMatchObject(REFUSED);
  await expect(installer.requireModel('m', NEVER, true)).rejects.toThrow('shader-f16');
  device = { gpu: 'none' };
  await expect(installer.install('m', NEVER)).rejects.toThrow('no variant for the CPU');
  expect(await stored('half')).toBe(0);
});

test('a model that the site’s engines cannot run does not exist for it', async () => {
  device = { engines: ['llamacpp'] };
  const failure = { data: { code: 'model_not_found', status: 404 } };
  await expect(installer.install('m', NEVER)).rejects.toMatchObject(failure);
  await expect(installer.install('m', NEVER)).rejects.toThrow('this site allows llamacpp only');
});

test('if the installed variant cannot run any more, the error says why, and nothing is downloaded', async () => {
  const entry = await catalog.get('m');
  await catalog.put({ ...hubEntry('m'), ...entry, added: true });
  device = { hasF16: true };
  await installer.install('m', NEVER);
  device = { hasF16: false };
  const requested = installer.requireModel('m', NEVER);
  await expect(requested).rejects.toMatchObject({ data: { code: 'model_not_found' } });
  await expect(installer.requireModel('m', NEVER)).rejects.toThrow(
    "installed, but the graphics processor lacks shader-f16. models.install('m') downloads the one",
  );
  expect(await installedIds()).toEqual(['half']);
  expect((await installer.requireModel('m', NEVER, true)).variant.id).toBe('full');
});

test('a model is to be loaded with the context that fits the device', async () => {
  device = { hasF16: true };
  expect((await installer.install('m', NEVER)).contextLength).toBe(4096);
});

test('the plan of another variant is given up', async () => {
  const [half] = (await catalog.get('m'))?.variants ?? [];
  if (!half) throw new Error('The model has no variant.');
  await catalog.begin('m', { variant: 'half', revision: 'half', files: [] });
  device = { hasF16: false };
  await installer.install('m', NEVER);
  expect(await installedIds()).toEqual(['full']);
  expect(await catalog.plan('m')).toBeUndefined();
});
