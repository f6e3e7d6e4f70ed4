import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isServable } from '../../../../src/core/stores/catalog-entry.ts';
import { CatalogStore } from '../../../../src/core/stores/catalog-store.ts';
import { emptyDatabase } from '../../support/database.ts';
import {
  hubEntry,
  hubVariant,
  installation,
  packEntry,
  plan,
  variantOf,
} from '../../support/entries.ts';

let catalog: CatalogStore;

beforeEach(() => {
  catalog = new CatalogStore(emptyDatabase());
});

const ids = async () => (await catalog.list()).map(({ id }) => id);

describe('bringing the catalog up to date', () => {
  test('takes what is new and drops what is gone, of the one kind only', async () => {
    await catalog.replace('pack', [packEntry('p')]);
    await catalog.replace('hub', [hubEntry('old'), hubEntry('both')]);
    await catalog.replace('hub', [hubEntry('both'), hubEntry('new')]);
    expect(await ids()).toEqual(['p', 'both', 'new']);
  });

  test('replaces what is known by what is new about it', async () => {
    await catalog.replace('hub', [hubEntry('m')]);
    await catalog.replace('hub', [hubEntry('m', { contextLength: 9 })]);
    expect((await catalog.get('m'))?.contextLength).toBe(9);
  });

  test('writes nothing where nothing is new', async () => {
    const both = [hubEntry('m'), hubEntry('n', { contextLength: 9 })];
    await catalog.replace('hub', both);
    const put = vi.spyOn(IDBObjectStore.prototype, 'put');
    await catalog.replace('hub', structuredClone(both));
    expect(put).not.toHaveBeenCalled();
    put.mockRestore();
  });

  test('keeps what is installed, though the list does not name it any more', async () => {
    await catalog.put(hubEntry('m', { installed: installation('c1') }));
    await catalog.replace('hub', []);
    expect(variantOf(await catalog.get('m')).installed).toEqual(installation('c1'));
  });

  test('keeps of an installed hub model what only its files could tell', async () => {
    const learnt = { installed: installation('c1'), bytes: 5 };
    await catalog.put(hubEntry('m', { ...learnt, features: ['reasoning'] }));
    await catalog.replace('hub', [hubEntry('m', { contextLength: 9 })]);
    const entry = await catalog.get('m');
    expect(entry).toMatchObject({ features: ['reasoning'], contextLength: 9 });
    expect(variantOf(entry)).toMatchObject(learnt);
  });

  test('keeps a pack installed while its files are the same', async () => {
    await catalog.put(packEntry('p', 'r1', { installed: installation('r1') }));
    await catalog.replace('pack', [packEntry('p', 'r1', { license: 'apache-2.0' })]);
    const entry = await catalog.get('p');
    expect(entry?.license).toBe('apache-2.0');
    expect(variantOf(entry).installed).toEqual(installation('r1'));
  });

  test('forgets that a pack is installed when the site has other files for it', async () => {
    await catalog.put(packEntry('p', 'r1', { installed: installation('r1') }));
    await catalog.replace('pack', [packEntry('p', 'r2')]);
    expect(variantOf(await catalog.get('p')).installed).toBeUndefined();
  });

  test('prefers the site’s pack to the hub’s model of the same name', async () => {
    await catalog.replace('pack', [packEntry('m')]);
    await catalog.replace('hub', [hubEntry('m')]);
    expect(variantOf(await catalog.get('m')).source.kind).toBe('pack');
  });

  test('lets a pack take the place of the hub’s model, whose files are others', async () => {
    await catalog.put(hubEntry('m', { installed: installation('c1') }));
    await catalog.replace('pack', [packEntry('m', 'r1')]);
    const variant = variantOf(await catalog.get('m'));
    expect(variant.source.kind).toBe('pack');
    expect(variant.installed).toBeUndefined();
  });
});

test('the site’s packs come first, in its order, then the hub’s by name', async () => {
  const at = (id: string, position: number) => packEntry(id, 'r1', { position });
  await catalog.replace('hub', [hubEntry('b'), hubEntry('a')]);
  await catalog.replace('pack', [at('y', 1), at('z', 0)]);
  expect(await ids()).toEqual(['z', 'y', 'a', 'b']);
});

test('servable is what the site brings or the store holds', () => {
  expect(isServable(packEntry('pack'))).toBe(true);
  expect(isServable(hubEntry('installed', { installed: installation('c1') }))).toBe(true);
  expect(isServable(hubEntry('known'))).toBe(false);
  expect(isServable(packEntry('of another site', 'r1', { added: true }))).toBe(false);
});

test('what somebody has added stays, though no list names it, and comes after the site’s', async () => {
  await catalog.put(packEntry('a', 'r1', { added: true }));
  await catalog.put(hubEntry('b', { added: true }));
  await catalog.replace('hub', []);
  await catalog.replace('pack', [packEntry('p')]);
  expect(await ids()).toEqual(['p', 'a', 'b']);
});

test('an installation is finished with what the lists say by then', async () => {
  const begun = hubEntry('m');
  await catalog.begin('m', plan('c1'));
  await catalog.put(hubEntry('m', { contextLength: 9 }));
  expect((await catalog.plans()).get('m')).toEqual(plan('c1'));
  const variant = hubVariant('m', { bytes: 5 });
  await catalog.finish(begun, {
    ...{ variant: { ...variant, installed: installation('c1') }, features: ['reasoning'] },
  });
  const entry = await catalog.get('m');
  expect(entry).toMatchObject({ contextLength: 9, features: ['reasoning'] });
  expect(variantOf(entry)).toMatchObject({ bytes: 5, installed: installation('c1') });
  expect(await catalog.plan('m')).toBeUndefined();
});
