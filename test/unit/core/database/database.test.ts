import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { expect, test, vi } from 'vitest';
import { CatalogStore } from '../../../../src/core/catalog/catalog-store.ts';
import { databaseOpener } from '../../../../src/core/database/database.ts';
import { hubEntry } from '../../support/entries.ts';

test('an open tab closes its connection for a newer version, and reads on in that', async () => {
  const open = databaseOpener('/b/');
  await new CatalogStore(open).put(hubEntry('m'));
  const newer = await openDB('slashv1:/b/', 2);
  expect((await open()).version).toBe(2);
  expect(await new CatalogStore(open).get('m')).toEqual(hubEntry('m'));
  newer.close();
});

test('a database that is deleted is reported, and opened again empty', async () => {
  const onLost = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const open = databaseOpener('/c/', onLost);
  await new CatalogStore(open).put(hubEntry('m'));
  await new Promise((resolve) => (indexedDB.deleteDatabase('slashv1:/c/').onsuccess = resolve));
  expect(onLost).toHaveBeenCalledOnce();
  expect(await new CatalogStore(open).list()).toEqual([]);
});
