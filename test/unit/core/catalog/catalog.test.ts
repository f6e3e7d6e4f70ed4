import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isServable, type CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import { CatalogStore } from '../../../../src/core/catalog/catalog-store.ts';
import { emptyDatabase } from '../../support/database.ts';
import {
  hubEntry,
  hubVariant,
  installation,
  packEntry,
  plan,
  variantOf,
} from '../../support/entries.ts';

let open: ReturnType<typeof emptyDatabase>;
let catalog: CatalogStore;

beforeEach(() => {
  open = emptyDatabase();
  catalog = new CatalogStore(open);
});

const ids = async () => (await catalog.list()).map(({ id }) => id);

describe('bringing the catalog up to date', () => {
  test('adds new models and drops those that are no longer listed, of one kind only', async () => {
    await catalog.replace('pack', [packEntry('p')]);
    await catalog.replace('hub', [hubEntry('old'), hubEntry('both')]);
    await catalog.replace('hub', [hubEntry('both'), hubEntry('new')]);
    expect(await ids()).toEqual(['p', 'both', 'new']);
  });

  test('updates a model that is listed differently', async () => {
    await catalog.replace('hub', [hubEntry('m')]);
    await catalog.replace('hub', [hubEntry('m', { contextLength: 9 })]);
    expect((await catalog.get('m'))?.contextLength).toBe(9);
  });

  test('writes nothing if nothing has changed', async () => {
    const both = [hubEntry('m'), hubEntry('n', { contextLength: 9 })];
    await catalog.replace('hub', both);
    const put = vi.spyOn(IDBObjectStore.prototype, 'put');
    await catalog.replace('hub', structuredClone(both));
    expect(put).not.toHaveBeenCalled();
    put.mockRestore();
  });

  test('keeps an installed model that is no longer listed', async () => {
    await catalog.put(hubEntry('m', { installed: installation('c1') }));
    await catalog.replace('hub', []);
    expect(variantOf(await catalog.get('m')).installed).toEqual(installation('c1'));
  });

  test('keeps the context length and the KV cache that a page has asked for', async () => {
    await catalog.put(packEntry('p'));
    await catalog.put(hubEntry('m'));
    const wanted = { wantedContext: 600 };
    expect(await catalog.want('m', wanted)).toBe(true);
    expect(await catalog.want('m', wanted)).toBe(false);
    expect(await catalog.want('p', wanted)).toBe(true);
    expect(await catalog.want('p', { wantedKvCacheType: 'q8_0' })).toBe(true);
    expect(await catalog.want('p', { ...wanted, wantedKvCacheType: 'q8_0' })).toBe(false);
    expect(await catalog.want('unknown', wanted)).toBe(false);
    await catalog.replace('hub', [hubEntry('m', { contextLength: 9 })]);
    await catalog.replace('pack', [packEntry('p', 'r2')]);
    const variant = { ...variantOf(packEntry('p', 'r2')), installed: installation('r2') };
    await catalog.finish(packEntry('p', 'r2'), { variant, features: [] });
    expect(await catalog.get('m')).toMatchObject({ contextLength: 9, wantedContext: 600 });
    expect(await catalog.get('p')).toMatchObject({ ...wanted, wantedKvCacheType: 'q8_0' });
    expect(await catalog.want('m', { wantedContext: 700 })).toBe(true);
  });

  test('keeps the facts that were learnt from the files of an installed hub model', async () => {
    const learnt = { installed: installation('c1'), bytes: 5 };
    await catalog.put(hubEntry('m', { ...learnt, features: ['reasoning'] }));
    await catalog.replace('hub', [hubEntry('m', { contextLength: 9 })]);
    const entry = await catalog.get('m');
    expect(entry).toMatchObject({ features: ['reasoning'], contextLength: 9 });
    expect(variantOf(entry)).toMatchObject(learnt);
  });

  test('keeps a pack installed if its files are the same', async () => {
    await catalog.put(packEntry('p', 'r1', { installed: installation('r1') }));
    await catalog.replace('pack', [packEntry('p', 'r1', { license: 'apache-2.0' })]);
    const entry = await catalog.get('p');
    expect(entry?.license).toBe('apache-2.0');
    expect(variantOf(entry).installed).toEqual(installation('r1'));
  });

  test('keeps an installed pack as it is if the site has other files for it, with those as its update', async () => {
    const old = packEntry('p', 'r1', { installed: installation('r1') });
    await catalog.put(old);
    await catalog.replace('pack', [packEntry('p', 'r2')]);
    expect(await catalog.get('p')).toEqual({ ...old, update: packEntry('p', 'r2') });
    await catalog.replace('hub', []);
    await catalog.replace('hub', [hubEntry('p')]);
    expect(await catalog.get('p')).toEqual({ ...old, update: packEntry('p', 'r2') });
  });

  test('puts a pack at the site’s place for it, even if the installed files are older', async () => {
    await catalog.put(packEntry('p', 'r1', { installed: installation('r1') }));
    const second = packEntry('p', 'r2', { position: 1 });
    await catalog.replace('pack', [packEntry('z', 'r1', { position: 0 }), second]);
    expect(await ids()).toEqual(['z', 'p']);
  });

  test('prefers the site’s pack to the hub’s model of the same name', async () => {
    await catalog.replace('pack', [packEntry('m')]);
    await catalog.replace('hub', [hubEntry('m')]);
    expect(variantOf(await catalog.get('m')).source.kind).toBe('pack');
  });

  test('replaces an installed hub model by the site’s pack of the same name once that is installed', async () => {
    const old = hubEntry('m', { installed: installation('c1') });
    await catalog.put(old);
    const update = packEntry('m', 'r1');
    await catalog.replace('pack', [update]);
    expect(await catalog.get('m')).toEqual({ ...old, update });
    const variant = { ...variantOf(update), installed: installation('r1') };
    await catalog.finish(update, { variant, features: [] });
    expect(await catalog.get('m')).toEqual({ ...update, variants: [variant] });
  });

  test('keeps a revision that was downloaded while the site got another one', async () => {
    const old = packEntry('p', 'r1', { installed: installation('r1') });
    const next = packEntry('p', 'r2');
    await catalog.put({ ...old, update: packEntry('p', 'r3') });
    const variant = { ...variantOf(next), installed: installation('r2') };
    await catalog.finish(next, { variant, features: [] });
    const update = packEntry('p', 'r3');
    expect(await catalog.get('p')).toEqual({ ...next, variants: [variant], update });
  });
});

test('the site’s packs come first, in its order, then the hub’s by name', async () => {
  const at = (id: string, position: number) => packEntry(id, 'r1', { position });
  await catalog.replace('hub', [hubEntry('b'), hubEntry('a')]);
  await catalog.replace('pack', [at('y', 1), at('z', 0)]);
  expect(await ids()).toEqual(['z', 'y', 'a', 'b']);
});

test('a model is servable if it comes with the site or is installed', () => {
  expect(isServable(packEntry('pack'))).toBe(true);
  expect(isServable(hubEntry('installed', { installed: installation('c1') }))).toBe(true);
  expect(isServable(hubEntry('known'))).toBe(false);
  expect(isServable(packEntry('of another site', 'r1', { added: true }))).toBe(false);
});

test('an added model stays without being listed, after the site’s own', async () => {
  await catalog.put(packEntry('a', 'r1', { added: true }));
  await catalog.put(hubEntry('b', { added: true }));
  await catalog.replace('hub', []);
  await catalog.replace('pack', [packEntry('p')]);
  expect(await ids()).toEqual(['p', 'a', 'b']);
});

describe('adding a model', () => {
  const isSame = ({ contextLength }: CatalogEntry) => contextLength === 7;
  const add = (mayHave: string[]) =>
    catalog.add(hubEntry('a', { contextLength: 7 }), mayHave, isSame);

  test('takes the first id that is free', async () => {
    expect(await add(['a', 'b'])).toMatchObject({ id: 'a', contextLength: 7 });
    await catalog.put(hubEntry('c'));
    expect(await catalog.get('a')).toBeDefined();
    await catalog.delete('a');
    expect(await add(['c', 'd'])).toMatchObject({ id: 'd' });
    expect(await ids()).toEqual(['c', 'd']);
  });

  test('that is there under any of its ids changes nothing', async () => {
    await catalog.put(hubEntry('b', { contextLength: 7, license: 'mit' }));
    expect(await add(['a', 'b'])).toMatchObject({ id: 'b', license: 'mit' });
    expect(await ids()).toEqual(['b']);
  });

  test('is not possible if other models have its ids, even those of a newer build', async () => {
    await catalog.put(hubEntry('a'));
    const newer = { ...hubEntry('b'), task: 'painting' };
    await (await open()).put('models', newer);
    expect(await add(['a', 'b'])).toBeUndefined();
    expect(await (await open()).get('models', 'b')).toEqual(newer);
  });
});

test('a finished installation keeps what the lists have changed during the download', async () => {
  const begun = hubEntry('m');
  await catalog.begin('m', plan('c1'));
  await catalog.put(hubEntry('m', { contextLength: 9 }));
  expect((await catalog.plans()).get('m')).toEqual(plan('c1'));
  const variant = hubVariant('m', { bytes: 5 });
  await catalog.finish(begun, {
    variant: { ...variant, installed: installation('c1') },
    features: ['reasoning'],
  });
  const entry = await catalog.get('m');
  expect(entry).toMatchObject({ contextLength: 9, features: ['reasoning'] });
  expect(variantOf(entry)).toMatchObject({ bytes: 5, installed: installation('c1') });
  expect(await catalog.plan('m')).toBeUndefined();
});
