import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isServable } from '../../../../src/core/stores/catalog-entry.ts';
import { CatalogStore } from '../../../../src/core/stores/catalog-store.ts';
import { emptyDatabase } from '../../support/database.ts';
import { hubEntry, installation, packEntry } from '../../support/entries.ts';

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
    expect((await catalog.get('m'))?.installed).toEqual(installation('c1'));
  });

  test('keeps of an installed hub model what only its files could tell', async () => {
    const learnt = { installed: installation('c1'), bytes: 5, features: ['reasoning'] };
    await catalog.put(hubEntry('m', learnt));
    await catalog.replace('hub', [hubEntry('m', { contextLength: 9 })]);
    expect(await catalog.get('m')).toMatchObject({ ...learnt, contextLength: 9 });
  });

  test('keeps a pack installed while its files are the same', async () => {
    await catalog.put(packEntry('p', 'r1', { installed: installation('r1') }));
    await catalog.replace('pack', [packEntry('p', 'r1', { license: 'apache-2.0' })]);
    expect(await catalog.get('p')).toMatchObject({
      installed: installation('r1'),
      license: 'apache-2.0',
    });
  });

  test('forgets that a pack is installed when the site has other files for it', async () => {
    await catalog.put(packEntry('p', 'r1', { installed: installation('r1') }));
    await catalog.replace('pack', [packEntry('p', 'r2')]);
    expect((await catalog.get('p'))?.installed).toBeUndefined();
  });

  test('prefers the site’s pack to the hub’s model of the same name', async () => {
    await catalog.replace('pack', [packEntry('m')]);
    await catalog.replace('hub', [hubEntry('m')]);
    expect((await catalog.get('m'))?.source.kind).toBe('pack');
  });

  test('lets a pack take the place of the hub’s model, whose files are others', async () => {
    await catalog.put(hubEntry('m', { installed: installation('c1') }));
    await catalog.replace('pack', [packEntry('m', 'r1')]);
    const entry = await catalog.get('m');
    expect(entry?.source.kind).toBe('pack');
    expect(entry?.installed).toBeUndefined();
  });
});

test('the site’s packs come first, in its order, then the hub’s by name', async () => {
  const at = (id: string, position: number) => {
    const entry = packEntry(id);
    return { ...entry, source: { ...entry.source, position } };
  };
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
  await catalog.begin('m', installation('c1'));
  await catalog.put(hubEntry('m', { contextLength: 9 }));
  expect((await catalog.plans()).get('m')).toEqual(installation('c1'));
  await catalog.finish({ ...begun, installed: installation('c1'), bytes: 5 });
  expect(await catalog.get('m')).toMatchObject({ contextLength: 9, bytes: 5 });
  expect(await catalog.plan('m')).toBeUndefined();
});
