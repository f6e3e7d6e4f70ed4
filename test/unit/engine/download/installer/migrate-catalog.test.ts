import { beforeEach, describe, expect, test } from 'vitest';
import { isServable } from '../../../../../src/core/catalog/catalog-entry.ts';
import { CatalogStore } from '../../../../../src/core/catalog/catalog-store.ts';
import { databaseOpener, type Database } from '../../../../../src/core/database/database.ts';
import {
  missingFiles,
  storedBytes,
} from '../../../../../src/core/weights/installation-progress.ts';
import { createKey } from '../../../../../src/core/keys/key-format.ts';
import { KeyReader } from '../../../../../src/core/keys/key-reader.ts';
import { WeightStore } from '../../../../../src/core/weights/weight-store.ts';
import { ProgressBoard } from '../../../../../src/engine/scheduling/progress-board.ts';
import { Installer } from '../../../../../src/engine/download/installer/installer.ts';
import { migrateCatalog } from '../../../../../src/engine/download/installer/migrate-catalog.ts';
import { tidyWeights } from '../../../../../src/engine/download/installer/tidy-weights.ts';
import {
  ADDED,
  ADDED_PACK,
  AVAILABLE,
  BEGUN,
  ENTRIES_OF_VERSION_2,
  HUB,
  PACK,
  PLAN_OF_VERSION_2,
  USED_AT,
  VOICE,
} from '../../../../support/version-2-catalog.ts';
import { variantOf } from '../../../support/entries.ts';
import { makeVersion2 } from '../../../support/version-2-database.ts';

const INSTALLED = [PACK, HUB, VOICE, ADDED] as const;

let scope: string;
let key: string;
let open: () => Promise<Database>;
let catalog: CatalogStore;
let weights: WeightStore;

beforeEach(async () => {
  scope = `/${crypto.randomUUID()}/`;
  key = createKey();
  await makeVersion2(scope, key);
  open = databaseOpener(scope);
  catalog = new CatalogStore(open);
  weights = new WeightStore(open);
  await migrateCatalog(open);
});

describe('a database of version 2, opened by this build', () => {
  test('lists all of its models, the site’s pack first, without the damaged entry', async () => {
    const ids = (await catalog.list()).map(({ id }) => id);
    const others = [HUB, VOICE, ADDED, ADDED_PACK, BEGUN, AVAILABLE];
    expect(ids).toEqual([PACK, ...others.toSorted((a, b) => a.localeCompare(b))]);
  });

  test.each(INSTALLED)('still has %s installed, with all of its files', async (id) => {
    const entry = await catalog.get(id);
    const { installed } = variantOf(entry);
    const { revision, files } = ENTRIES_OF_VERSION_2[id].installed;
    expect(installed).toEqual({ revision, files });
    expect(entry && isServable(entry)).toBe(true);
    expect(await missingFiles(id, { revision, files }, weights)).toEqual([]);
  });

  test.each(INSTALLED)('can load %s without a download', async (id) => {
    const plan = () => Promise.reject(new Error('Nothing is to be downloaded.'));
    const installer = new Installer({
      catalog,
      weights,
      progress: new ProgressBoard(),
      base: 'https://site.example/',
      engines: { webllm: { plan }, llamacpp: { plan }, onnx: { plan } },
      device: () => Promise.resolve({}),
    });
    const { installation, variant } = await installer.requireModel(
      id,
      new AbortController().signal,
    );
    expect(installation.revision).toBe(ENTRIES_OF_VERSION_2[id].installed.revision);
    expect(variant.engine).toBe(id === VOICE ? 'onnx' : 'webllm');
  });

  test('has the same facts of a pack', async () => {
    const { source, bytes } = ENTRIES_OF_VERSION_2[PACK];
    const { revision, features, files } = source.manifest;
    expect(await catalog.get(PACK)).toMatchObject({
      task: 'chat',
      ownedBy: 'HuggingFaceTB',
      created: 1_730_332_800,
      license: 'apache-2.0',
      contextLength: 2048,
      features: [],
    });
    expect(variantOf(await catalog.get(PACK))).toMatchObject({
      engine: 'webllm',
      quantization: 'q4f32_s8',
      bytes,
      modelLibrary: 'model.wasm',
      source: { ...source, manifest: { revision, features, files } },
      needs: { memoryBytes: 320_000_000 },
    });
  });

  test('has the same facts of a hub model', async () => {
    const entry = await catalog.get(HUB);
    expect(entry).toMatchObject({ task: 'chat', features: ['reasoning'], contextLength: 4096 });
    expect(variantOf(entry)).toMatchObject({
      engine: 'webllm',
      quantization: 'q4f16_1',
      bytes: 18,
      modelLibrary: 'model.wasm',
      source: { kind: 'hub', repository: HUB, library: 'v0_2_84/a.wasm' },
      needs: { shaderF16: true, bufferBytes: 262_144_000, memoryBytes: 879_000_000 },
      overrides: { context_window_size: 4096 },
    });
  });

  test('has the same facts of a voice', async () => {
    const { speech, source } = ENTRIES_OF_VERSION_2[VOICE];
    const entry = await catalog.get(VOICE);
    expect(entry).toMatchObject({ task: 'speech', speech, license: 'apache-2.0' });
    expect(variantOf(entry)).toMatchObject({
      engine: 'onnx',
      quantization: 'q8',
      graph: 'onnx/model_quantized.onnx',
      source: { kind: 'hub', repository: VOICE, files: source.files },
    });
  });

  test('still has what the user added', async () => {
    for (const id of [ADDED, ADDED_PACK]) {
      await catalog.replace('hub', []);
      await catalog.replace('pack', []);
      expect((await catalog.get(id))?.added).toBe(true);
    }
    expect(await catalog.get(ADDED_PACK)).toMatchObject({ task: 'speech' });
  });

  test('continues the unfinished download', async () => {
    const plan = await catalog.plan(BEGUN);
    const { revision, files } = PLAN_OF_VERSION_2;
    expect(plan).toEqual({ variant: variantOf(await catalog.get(BEGUN)).id, revision, files });
    expect(await storedBytes(BEGUN, { revision, files }, weights)).toBe(3);
  });

  test('still has the key, and when a model was last used', async () => {
    expect((await new KeyReader(open).check(`Bearer ${key}`)).label).toBe('app');
    expect((await catalog.uses()).get(HUB)).toBe(USED_AT);
  });

  test('keeps all weights when it is tidied', async () => {
    const stored = async () => {
      const db = await open();
      return [...(await db.getAllKeys('files')), ...(await db.getAllKeys('segments'))];
    };
    const before = await stored();
    await tidyWeights(open);
    expect(await stored()).toEqual(before);
  });

  test('is copied once: what was removed since stays removed', async () => {
    await catalog.delete(ADDED_PACK);
    await migrateCatalog(open);
    expect(await catalog.get(ADDED_PACK)).toBeUndefined();
  });

  test('keeps its old stores for tabs of older builds', async () => {
    const db = await open();
    expect(db.version).toBe(4);
    expect(await db.get('catalog', HUB)).toEqual(ENTRIES_OF_VERSION_2[HUB]);
    expect(await db.get('downloads', BEGUN)).toEqual(PLAN_OF_VERSION_2);
  });
});
