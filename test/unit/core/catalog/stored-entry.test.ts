import { describe, expect, test } from 'vitest';
import { CatalogStore } from '../../../../src/core/catalog/catalog-store.ts';
import { isOfNewerBuild, readEntry } from '../../../../src/core/catalog/stored-entry.ts';
import { WeightStore } from '../../../../src/core/weights/weight-store.ts';
import { tidyWeights } from '../../../../src/engine/download/installer/tidy-weights.ts';
import { emptyDatabase } from '../../support/database.ts';
import { hubEntry, hubVariant, packEntry } from '../../support/entries.ts';

const voices = [{ id: 'v', name: 'V', languages: ['en-US'] }];
const speaker = packEntry('s', 'r1', { speech: { family: 'kokoro', voices, sampleRate: 1 } });
const future = { ...hubVariant('m'), id: 'future', engine: 'future' };
const mixed = { ...hubEntry('m'), variants: [future, hubVariant('m')] };

test.each([packEntry('p'), hubEntry('h'), speaker])(
  'an entry is read as it was stored',
  (entry) => {
    expect(readEntry(entry)).toEqual(entry);
  },
);

test.each([
  ['nothing', undefined],
  ['an id alone', { id: 'm' }],
  ['no variants', { ...hubEntry('m'), variants: [] }],
  ['variants that are not objects', { ...hubEntry('m'), variants: [null, 'x'] }],
  ['a variant without a source', { ...hubEntry('m'), variants: [{ id: 'v', engine: 'webllm' }] }],
  ['no context length', { ...hubEntry('m'), contextLength: undefined }],
  ['voices missing', { ...speaker, speech: { family: 'kokoro' } }],
  ['an unknown task', { ...hubEntry('m'), task: 'future' }],
])('an entry with %s is left out', (_what, stored) => {
  expect(readEntry(stored)).toBeUndefined();
});

test('variants of unknown engines are left out', () => {
  expect(readEntry(mixed)).toEqual(hubEntry('m'));
});

test('unknown engines and tasks tell that a newer build stored an entry', () => {
  expect(isOfNewerBuild(mixed)).toBe(true);
  expect(isOfNewerBuild({ ...hubEntry('m'), task: 'future' })).toBe(true);
  expect(isOfNewerBuild(hubEntry('m'))).toBe(false);
  expect(isOfNewerBuild({ id: 'damaged' })).toBe(false);
});

describe('what a newer build stored', () => {
  test('is not overwritten by this build’s lists, and keeps its weights', async () => {
    const open = emptyDatabase();
    await (await open()).put('models', mixed);
    const weights = new WeightStore(open);
    await weights.put('m', 'of future', 'a.bin', { blob: new Blob(['a']), sha256: 'x' });
    const catalog = new CatalogStore(open);
    await catalog.replace('hub', [hubEntry('m', { contextLength: 9 })]);
    await catalog.replace('hub', []);
    await tidyWeights(open);
    expect(await (await open()).get('models', 'm')).toEqual(mixed);
    expect((await weights.paths('m', 'of future')).size).toBe(1);
  });

  test('lists a damaged entry again', async () => {
    const open = emptyDatabase();
    await (await open()).put('models', { id: 'm' });
    const catalog = new CatalogStore(open);
    await catalog.put(hubEntry('other'));
    expect((await catalog.list()).map(({ id }) => id)).toEqual(['other']);
    await catalog.replace('hub', [hubEntry('m'), hubEntry('other')]);
    expect((await catalog.list()).map(({ id }) => id)).toEqual(['m', 'other']);
  });
});
