import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { expect, test, vi } from 'vitest';
import { CatalogStore } from '../../../../src/core/catalog/catalog-store.ts';
import { databaseOpener } from '../../../../src/core/database/database.ts';
import { createKey } from '../../../../src/core/keys/key-format.ts';
import { sha256Hex } from '../../../../src/core/database/hash.ts';
import { KeyReader } from '../../../../src/core/keys/key-reader.ts';
import { WeightStore } from '../../../../src/core/weights/weight-store.ts';
import { hubEntry, variantOf } from '../../support/entries.ts';
import { ENTRIES_OF_VERSION_2, HUB } from '../../../support/version-2-catalog.ts';
import { migrateCatalog } from '../../../../src/engine/download/installer/migrate-catalog.ts';

/** As the first version made and filled it. */
async function makeFirstVersion(scope: string, key: string): Promise<void> {
  const db = await openDB(`slashv1:${scope}`, 1, {
    upgrade(database) {
      database.createObjectStore('keys', { keyPath: 'id' });
      database.createObjectStore('catalog', { keyPath: 'id' });
      database.createObjectStore('files');
    },
  });
  await db.put('keys', { id: await sha256Hex(key), label: 'app', createdAt: 1 });
  await db.put('catalog', ENTRIES_OF_VERSION_2[HUB]);
  await db.put('files', { blob: new Blob(['weights']), sha256: 'x' }, [HUB, 'c0ffee', 'a.bin']);
  db.close();
}

test('this version keeps what version 1 stored: keys, installed models and their files', async () => {
  const key = createKey();
  await makeFirstVersion('/a/', key);
  const open = databaseOpener('/a/');
  expect((await open()).version).toBe(4);
  await migrateCatalog(open);
  expect((await new KeyReader(open).check(`Bearer ${key}`)).label).toBe('app');
  expect(variantOf(await new CatalogStore(open).get(HUB)).installed?.revision).toBe('c0ffee');
  const weights = new WeightStore(open);
  expect(await (await weights.get(HUB, 'c0ffee', 'a.bin'))?.text()).toBe('weights');
  expect(await new CatalogStore(open).plans()).toEqual(new Map());
});

test('an open tab closes its connection for a newer version, and reads on in that', async () => {
  const open = databaseOpener('/b/');
  await new CatalogStore(open).put(hubEntry('m'));
  const newer = await openDB('slashv1:/b/', 5);
  expect((await open()).version).toBe(5);
  expect(await new CatalogStore(open).get('m')).toEqual(hubEntry('m'));
  newer.close();
});

test('a database that is deleted is reported, and opened again empty', async () => {
  const onLost = vi.fn<() => void>();
  const open = databaseOpener('/c/', onLost);
  await new CatalogStore(open).put(hubEntry('m'));
  await new Promise((resolve) => (indexedDB.deleteDatabase('slashv1:/c/').onsuccess = resolve));
  expect(onLost).toHaveBeenCalledOnce();
  expect(await new CatalogStore(open).list()).toEqual([]);
});
