import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { expect, test, vi } from 'vitest';
import { CatalogStore } from '../../../../src/core/stores/catalog-store.ts';
import { databaseOpener } from '../../../../src/core/stores/database.ts';
import { createKey } from '../../../../src/core/stores/key-format.ts';
import { sha256Hex } from '../../../../src/core/stores/hash.ts';
import { KeyReader } from '../../../../src/core/stores/key-reader.ts';
import { WeightStore } from '../../../../src/core/stores/weight-store.ts';
import { hubEntry, installation } from '../../support/entries.ts';

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
  await db.put('catalog', hubEntry('m', { installed: installation('c1') }));
  await db.put('files', { blob: new Blob(['weights']), sha256: 'x' }, ['m', 'c1', 'a.bin']);
  db.close();
}

test('version 2 keeps what version 1 stored: keys, installed models and their files', async () => {
  const key = createKey();
  await makeFirstVersion('/a/', key);
  const open = databaseOpener('/a/');
  expect((await open()).version).toBe(2);
  expect((await new KeyReader(open).check(`Bearer ${key}`)).label).toBe('app');
  expect((await new CatalogStore(open).get('m'))?.installed).toEqual(installation('c1'));
  const weights = new WeightStore(open);
  expect(await (await weights.get('m', 'c1', 'a.bin'))?.text()).toBe('weights');
  expect(await new CatalogStore(open).plans()).toEqual(new Map());
});

test('an open tab lets a newer version in, and reads on in it', async () => {
  const open = databaseOpener('/b/');
  await new CatalogStore(open).put(hubEntry('m'));
  const newer = await openDB('slashv1:/b/', 3);
  expect((await open()).version).toBe(3);
  expect(await new CatalogStore(open).get('m')).toEqual(hubEntry('m'));
  newer.close();
});

test('deleted, it says so, and is empty when it is opened again', async () => {
  const onLost = vi.fn<() => void>();
  const open = databaseOpener('/c/', onLost);
  await new CatalogStore(open).put(hubEntry('m'));
  await new Promise((resolve) => (indexedDB.deleteDatabase('slashv1:/c/').onsuccess = resolve));
  expect(onLost).toHaveBeenCalledOnce();
  expect(await new CatalogStore(open).list()).toEqual([]);
});
