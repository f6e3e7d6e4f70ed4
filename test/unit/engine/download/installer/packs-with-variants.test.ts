import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../../src/core/catalog/catalog-entry.ts';
import { CatalogStore } from '../../../../../src/core/catalog/catalog-store.ts';
import type { Device } from '../../../../../src/core/fit/device-fit.ts';
import type { Database } from '../../../../../src/core/database/database.ts';
import { manifestSchema } from '../../../../../src/core/catalog/pack-manifest.ts';
import { packEntry } from '../../../../../src/core/catalog/pack-variant.ts';
import { WeightStore } from '../../../../../src/core/weights/weight-store.ts';
import { ProgressBoard } from '../../../../../src/engine/scheduling/progress-board.ts';
import { Installer } from '../../../../../src/engine/download/installer/installer.ts';
import { tidyWeights } from '../../../../../src/engine/download/installer/tidy-weights.ts';
import { emptyDatabase } from '../../../support/database.ts';
import { type HttpServer, sends, startServer } from '../../../support/servers/http-server.ts';
import { NEVER } from '../../../support/never.ts';
import { bothEngines, GGUF_VARIANT, MLC_VARIANT } from '../../../support/pack-manifests.ts';

const MODEL = 'org/m';
const WEBLLM = 'webllm-q4f32_s8';
const LLAMACPP = 'llamacpp-Q4_1';
/** What a device must have for WebLLM. */
const NEEDS = { shaderF16: true };

let open: () => Promise<Database>;
let catalog: CatalogStore;
let weights: WeightStore;
let site: HttpServer;
let installer: Installer;
let device: Device;

beforeEach(async () => {
  open = emptyDatabase();
  catalog = new CatalogStore(open);
  weights = new WeightStore(open);
  site = await startServer({
    '/packs/m/model.wasm': sends('wasm'),
    '/packs/m/weights.bin': sends('weights'),
    '/packs/m/model.gguf': sends('a file of 20 bytes !'),
  });
  device = {};
  const plan = () => Promise.reject(new Error('Nothing here is on the hub.'));
  installer = new Installer({
    catalog,
    weights,
    progress: new ProgressBoard(),
    base: site.url,
    engines: { webllm: { plan }, llamacpp: { plan }, onnx: { plan } },
    device: () => Promise.resolve(device),
  });
});

/** What the engine does as it starts: the site's pack, and then the weights that are still useful. */
async function start(): Promise<void> {
  const variants = [{ ...MLC_VARIANT, needs: NEEDS }, GGUF_VARIANT];
  const manifest = v.parse(manifestSchema, { ...bothEngines(MODEL), variants });
  await catalog.replace('pack', [packEntry(manifest, { url: packUrl(), position: 0 })]);
  await tidyWeights(open);
}

const packUrl = () => `${site.url}packs/m/`;

/** The entry of the same pack when it was for WebLLM alone. */
function entryOfWebLlm(isInstalled: boolean): CatalogEntry {
  const { quantization, revision, modelLibrary, files } = MLC_VARIANT;
  const manifest = { revision, features: ['reasoning'], files };
  const installed = {
    revision,
    files: files.map((file) => ({ ...file, url: packUrl() + file.path })),
  };
  return {
    id: MODEL,
    task: 'chat',
    ownedBy: 'o',
    created: 1,
    license: 'mit',
    contextLength: 2048,
    features: ['reasoning'],
    variants: [
      {
        id: WEBLLM,
        engine: 'webllm',
        quantization,
        modelLibrary,
        bytes: 11,
        needs: NEEDS,
        source: { kind: 'pack', url: packUrl(), position: 0, manifest },
        ...(isInstalled && { installed }),
      },
    ],
  };
}

async function storeFiles(): Promise<void> {
  for (const { path } of MLC_VARIANT.files) {
    const file = { blob: new Blob(['x']), sha256: 'x' };
    await weights.put(MODEL, MLC_VARIANT.revision, path, file);
  }
}

/** Paths of the stored files of both variants. */
async function storedPaths(): Promise<string[]> {
  const revisions = [MLC_VARIANT.revision, GGUF_VARIANT.revision];
  const stored = await Promise.all(revisions.map((revision) => weights.paths(MODEL, revision)));
  return stored.flatMap((paths) => [...paths]).toSorted();
}

const installedIds = async () =>
  (await catalog.get(MODEL))?.variants.flatMap(({ id, installed }) => (installed ? [id] : []));

test.each([
  [WEBLLM, true, MLC_VARIANT.files, 11],
  [LLAMACPP, false, GGUF_VARIANT.files, 20],
])(
  'of a pack, only the files of the variant %s are downloaded',
  async (id, hasF16, files, bytes) => {
    await start();
    device = { hasF16 };
    const { variant, installation } = await installer.install(MODEL, NEVER);
    expect(variant).toMatchObject({ id, bytes });
    expect(installation.files).toMatchObject(files);
    const asked = files.map(({ path }) => `GET /packs/m/${path}`);
    expect(site.requests.toSorted()).toEqual(asked.toSorted());
  },
);

test('both variants of a pack can be installed, and removing the model removes both', async () => {
  for (const hasF16 of [true, false]) {
    await start();
    device = { hasF16 };
    await installer.install(MODEL, NEVER);
  }
  await start();
  expect(await installedIds()).toEqual([WEBLLM, LLAMACPP]);
  expect(await storedPaths()).toEqual(['model.gguf', 'model.wasm', 'weights.bin']);
  await installer.remove(MODEL);
  expect(await installedIds()).toEqual([]);
  expect(await storedPaths()).toEqual([]);
});

test('an installed pack stays installed when the site adds a variant', async () => {
  await catalog.put(entryOfWebLlm(true));
  await storeFiles();
  await start();
  const entry = await catalog.get(MODEL);
  expect(entry?.variants.map(({ id }) => id)).toEqual([WEBLLM, LLAMACPP]);
  expect(await installedIds()).toEqual([WEBLLM]);
  expect((await installer.requireModel(MODEL, NEVER)).variant.id).toBe(WEBLLM);
  expect(site.requests).toEqual([]);
});

test('an installed pack can be used while the site cannot be reached', async () => {
  await catalog.put(entryOfWebLlm(true));
  await storeFiles();
  await tidyWeights(open);
  expect((await installer.requireModel(MODEL, NEVER)).installation.files).toHaveLength(2);
  expect(site.requests).toEqual([]);
});

test('a stored pack that is not installed can be downloaded', async () => {
  await catalog.put(entryOfWebLlm(false));
  expect((await installer.requireModel(MODEL, NEVER)).variant.id).toBe(WEBLLM);
  expect(await installedIds()).toEqual([WEBLLM]);
});
