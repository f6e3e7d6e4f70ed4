import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { expect, test } from 'vitest';
import { CatalogReader } from '../../../../src/core/catalog/catalog.ts';
import { CatalogStore } from '../../../../src/core/catalog/catalog-store.ts';
import { databaseOpener } from '../../../../src/core/database/database.ts';
import { DeviceReader, DeviceStore } from '../../../../src/core/database/device-store.ts';
import { createKey } from '../../../../src/core/keys/key-format.ts';
import { KeyReader } from '../../../../src/core/keys/key-reader.ts';
import { KeyStore } from '../../../../src/core/keys/keys.ts';
import { smallDatabase } from '../../../../src/core/database/small-database.ts';
import { hubEntry } from '../../support/entries.ts';

const newScope = () => `/${crypto.randomUUID()}/`;

test('it reads what engines and pages have stored', async () => {
  const scope = newScope();
  const open = databaseOpener(scope);
  const key = createKey();
  await new KeyStore(smallDatabase(scope)).add(key, { label: 'app' });
  await new CatalogStore(open).put(hubEntry('m'));
  await new DeviceStore(open).put({ hasF16: true });
  const reader = smallDatabase(scope);
  expect((await new KeyReader(reader).check(`Bearer ${key}`)).label).toBe('app');
  expect(await new CatalogReader(reader).list()).toEqual([hubEntry('m')]);
  expect(await new CatalogReader(reader).get('other')).toBeUndefined();
  expect(await new DeviceReader(reader).read()).toEqual({ hasF16: true, loads: [] });
});

test('it makes the database if it comes first, and others use it', async () => {
  const scope = newScope();
  expect(await new CatalogReader(smallDatabase(scope)).list()).toEqual([]);
  const store = new CatalogStore(databaseOpener(scope));
  await store.put(hubEntry('m'));
  expect(await store.list()).toEqual([hubEntry('m')]);
});

test('it reads on in the database of a newer build', async () => {
  const scope = newScope();
  const catalog = new CatalogReader(smallDatabase(scope));
  await new CatalogStore(databaseOpener(scope)).put(hubEntry('m'));
  expect(await catalog.list()).toHaveLength(1);
  const newer = await openDB(`slashv1:${scope}`, 2);
  expect(await catalog.list()).toHaveLength(1);
  newer.close();
});

test('a database that was deleted is opened again, empty', async () => {
  const scope = newScope();
  const reader = smallDatabase(scope);
  await new CatalogReader(reader).list();
  await new Promise(
    (resolve) => (indexedDB.deleteDatabase(`slashv1:${scope}`).onsuccess = resolve),
  );
  expect(await new CatalogReader(reader).list()).toEqual([]);
});
