import { beforeEach, expect, test } from 'vitest';
import { CatalogStore } from '../../../../../src/core/catalog/catalog-store.ts';
import type { Database } from '../../../../../src/core/database/database.ts';
import { WeightStore } from '../../../../../src/core/weights/weight-store.ts';
import { tidyWeights } from '../../../../../src/engine/download/installer/tidy-weights.ts';
import { emptyDatabase } from '../../../support/database.ts';
import { hubEntry, installation, packEntry, plan } from '../../../support/entries.ts';

let open: () => Promise<Database>;
let catalog: CatalogStore;
let weights: WeightStore;

beforeEach(() => {
  open = emptyDatabase();
  catalog = new CatalogStore(open);
  weights = new WeightStore(open);
});

async function put(model: string, revision: string): Promise<void> {
  await weights.put(model, revision, 'a.bin', { blob: new Blob(['a']), sha256: 'x' });
  await weights.append([model, revision, 'b.bin'], 0, { blob: new Blob(['b']) });
}

/** `model/revision` of everything that is stored, whole or in part. */
async function stored(): Promise<string[]> {
  const db = await open();
  const keys = [...(await db.getAllKeys('files')), ...(await db.getAllKeys('segments'))];
  return [...new Set(keys.map(([model, revision]) => `${model}/${revision}`))].sort();
}

test('weights of unknown models and of replaced revisions are deleted, all others stay', async () => {
  await catalog.put(hubEntry('hub', { installed: installation('new') }));
  await catalog.put(packEntry('pack', 'offered'));
  await catalog.put(hubEntry('begun'));
  await catalog.begin('begun', plan('coming'));
  await catalog.begin('forgotten', plan('c'));
  const useful = ['begun/coming', 'hub/new', 'pack/offered'];
  for (const name of [...useful, 'begun/old', 'forgotten/c', 'hub/old', 'pack/old', 'zzz/r']) {
    const [model = '', revision = ''] = name.split('/');
    await put(model, revision);
  }
  await tidyWeights(open);
  expect(await stored()).toEqual(useful);
  expect([...(await catalog.plans()).keys()]).toEqual(['begun']);
});

test('an empty store stays empty', async () => {
  await tidyWeights(open);
  expect(await stored()).toEqual([]);
});
