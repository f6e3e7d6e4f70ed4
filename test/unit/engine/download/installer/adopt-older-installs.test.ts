import { beforeEach, expect, test } from 'vitest';
import { CatalogStore } from '../../../../../src/core/catalog/catalog-store.ts';
import { databaseOpener, type Database } from '../../../../../src/core/database/database.ts';
import { createKey } from '../../../../../src/core/keys/key-format.ts';
import { WeightStore } from '../../../../../src/core/weights/weight-store.ts';
import { adoptOlderInstalls } from '../../../../../src/engine/download/installer/adopt-older-installs.ts';
import { migrateCatalog } from '../../../../../src/engine/download/installer/migrate-catalog.ts';
import { tidyWeights } from '../../../../../src/engine/download/installer/tidy-weights.ts';
import {
  AVAILABLE,
  BEGUN,
  ENTRIES_OF_VERSION_2,
  HUB,
  PACK,
} from '../../../../support/version-2-catalog.ts';
import { manifestOf, packEntry, variantOf } from '../../../support/entries.ts';
import { makeVersion2 } from '../../../support/version-2-database.ts';

let open: () => Promise<Database>;
let catalog: CatalogStore;
let weights: WeightStore;

beforeEach(async () => {
  const scope = `/${crypto.randomUUID()}/`;
  await makeVersion2(scope, createKey());
  open = databaseOpener(scope);
  catalog = new CatalogStore(open);
  weights = new WeightStore(open);
  await migrateCatalog(open);
});

/** As the engine worker starts. */
async function start(): Promise<void> {
  await adoptOlderInstalls({ open, catalog, weights });
  await tidyWeights(open);
}

const files = [{ path: 'a.bin', size: 1, url: 'https://hub.example/a.bin' }];
const installed = { revision: 'fresh', modelLibrary: 'model.wasm', files };

/** A tab of the older build installs a model, after this build has upgraded the database. */
async function installInOlderTab(id: string, source: object = {}): Promise<void> {
  const entry = { ...ENTRIES_OF_VERSION_2[AVAILABLE], id, installed, bytes: 1, ...source };
  await (await open()).put('catalog', entry as never);
  await weights.put(id, 'fresh', 'a.bin', { blob: new Blob(['a']), sha256: 'x' });
}

test('what a tab of an older build installed is installed, and keeps its weights', async () => {
  for (const id of [AVAILABLE, 'someone/unknown']) {
    await installInOlderTab(id);
    await start();
    const variant = variantOf(await catalog.get(id));
    expect(variant).toMatchObject({ installed: { revision: 'fresh', files }, bytes: 1 });
    expect((await weights.paths(id, 'fresh')).size).toBe(1);
  }
});

test('a download that a tab of an older build began is continued', async () => {
  const db = await open();
  await db.put('downloads', installed, AVAILABLE);
  await weights.append([AVAILABLE, 'fresh', 'a.bin'], 0, { blob: new Blob(['']) });
  await start();
  expect(await catalog.plan(AVAILABLE)).toBeUndefined();
  await weights.append([AVAILABLE, 'fresh', 'a.bin'], 0, { blob: new Blob(['a']) });
  await start();
  expect(await catalog.plan(AVAILABLE)).toMatchObject({ revision: 'fresh', files });
  expect(await weights.received([AVAILABLE, 'fresh', 'a.bin'])).toBe(1);
});

test('what was removed since the upgrade stays removed, though older stores name it', async () => {
  for (const id of [HUB, BEGUN]) await weights.remove(id);
  await catalog.endPlan(BEGUN);
  const hub = ENTRIES_OF_VERSION_2[HUB];
  const entry = await catalog.get(HUB);
  if (!entry) throw new Error('The model is missing.');
  const { installed: _, ...variant } = variantOf(entry);
  await catalog.put({ ...entry, variants: [variant] });
  await start();
  expect((await (await open()).get('catalog', HUB))?.installed).toEqual(hub.installed);
  expect(variantOf(await catalog.get(HUB)).installed).toBeUndefined();
  expect(await catalog.plan(BEGUN)).toBeUndefined();
});

test('what is installed already stays as it is', async () => {
  const before = await catalog.list();
  await start();
  expect(await catalog.list()).toEqual(before);
});

test('a pack of which the site has a newer version is not taken over', async () => {
  const manifest = manifestOf(await catalog.get(PACK));
  await catalog.replace('pack', [packEntry(PACK, 'newer', { ...manifest, revision: 'newer' })]);
  await start();
  expect(variantOf(await catalog.get(PACK)).installed).toBeUndefined();
});

test('a damaged record does not keep the others from being taken over', async () => {
  await (await open()).put('catalog', { id: 'a damaged one', installed } as never);
  await installInOlderTab(AVAILABLE);
  await start();
  expect(variantOf(await catalog.get(AVAILABLE)).installed?.revision).toBe('fresh');
});
