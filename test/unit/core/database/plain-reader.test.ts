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
import { plainKeys } from '../../../../src/core/database/plain-database.ts';
import { plainReader } from '../../../../src/core/database/plain-reader.ts';
import { hubEntry } from '../../support/entries.ts';

const newScope = () => `/${crypto.randomUUID()}/`;

test('it reads what engines and pages have stored', async () => {
  const scope = newScope();
  const open = databaseOpener(scope);
  const key = createKey();
  await new KeyStore(plainKeys(scope).open).add(key, { label: 'app' });
  await new CatalogStore(open).put(hubEntry('m'));
  await new DeviceStore(open).put({ hasF16: true });
  const reader = plainReader(scope);
  expect((await new KeyReader(reader).check(`Bearer ${key}`)).label).toBe('app');
  expect(await new CatalogReader(reader).list()).toEqual([hubEntry('m')]);
  expect(await new CatalogReader(reader).get('other')).toBeUndefined();
  expect(await new DeviceReader(reader).read()).toEqual({ hasF16: true, loads: [] });
});

test('it makes the database if it comes first, and others use it', async () => {
  const scope = newScope();
  expect(await new CatalogReader(plainReader(scope)).list()).toEqual([]);
  const store = new CatalogStore(databaseOpener(scope));
  await store.put(hubEntry('m'));
  expect(await store.list()).toEqual([hubEntry('m')]);
});

test('it reads on in the database of a newer build', async () => {
  const scope = newScope();
  const catalog = new CatalogReader(plainReader(scope));
  await new CatalogStore(databaseOpener(scope)).put(hubEntry('m'));
  expect(await catalog.list()).toHaveLength(1);
  const newer = await openDB(`slashv1:${scope}`, 5);
  expect(await catalog.list()).toHaveLength(1);
  newer.close();
});

test('a database that was deleted is opened again, empty', async () => {
  const scope = newScope();
  const reader = plainReader(scope);
  await new CatalogReader(reader).list();
  await new Promise(
    (resolve) => (indexedDB.deleteDatabase(`slashv1:${scope}`).onsuccess = resolve),
  );
  expect(await new CatalogReader(reader).list()).toEqual([]);
});
