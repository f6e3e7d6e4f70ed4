import { forceCloseDatabase } from 'fake-indexeddb';
import { unwrap } from 'idb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../src/core/database/database.ts';
import { createKey, KEY_PATTERN } from '../../../../src/core/keys/key-format.ts';
import { sha256Hex } from '../../../../src/core/text/sha256.ts';
import { KeyReader } from '../../../../src/core/keys/key-reader.ts';
import { KeyStore } from '../../../../src/core/keys/keys.ts';
import { databaseConnection } from '../../../../src/core/database/connection.ts';
import {
  requested,
  smallDatabase,
  type SmallDatabase,
} from '../../../../src/core/database/small-database.ts';
import { holdWebLock } from '../../../../src/core/port/web-lock.ts';
import { emptyDatabase, emptyDatabases } from '../../support/database.ts';

let open: () => Promise<Database>;
let openSmall: () => Promise<SmallDatabase>;
let keys: KeyStore;
let reader: KeyReader;

beforeEach(() => {
  ({ open, openSmall } = emptyDatabases());
  keys = new KeyStore(openSmall);
  reader = new KeyReader(open);
});

const check = (key: string) => reader.check(`Bearer ${key}`);
const isInvalid = { data: { status: 401, code: 'invalid_api_key' } };

describe('a new key', () => {
  test('is sk-slashv1- and 43 base64url characters, no two alike', () => {
    const many = Array.from({ length: 200 }, createKey);
    for (const key of many) expect(key).toMatch(/^sk-slashv1-[A-Za-z0-9_-]{43}$/);
    expect(new Set(many).size).toBe(many.length);
  });

  test('has no more and no less', () => {
    const key = createKey();
    expect(KEY_PATTERN.test(key)).toBe(true);
    for (const bad of [`${key}a`, key.slice(1), `${key.slice(0, -1)}+`, ` ${key}`, `${key}\n`]) {
      expect(KEY_PATTERN.test(bad)).toBe(false);
    }
  });
});

describe('stored keys', () => {
  test('are hashes: nothing in the database holds the key', async () => {
    const key = createKey();
    const stored = await keys.add(key, { label: 'l' });
    expect(stored).toMatchObject({ id: await sha256Hex(key), label: 'l' });
    const everything = JSON.stringify(await (await open()).getAll('keys'));
    expect(everything).toContain(stored.id);
    expect(everything).not.toContain(key.slice('sk-slashv1-'.length));
  });

  test('are found by their key, with what it may do', async () => {
    const key = createKey();
    await keys.add(key, { label: 'l', models: ['m'] });
    expect(await check(key)).toMatchObject({ label: 'l', models: ['m'] });
  });

  test('do not open to others', async () => {
    await keys.add(createKey(), { label: 'l' });
    await expect(check(createKey())).rejects.toMatchObject(isInvalid);
    await expect(reader.check(null)).rejects.toMatchObject(isInvalid);
  });

  test('do not open to their own hash', async () => {
    const { id } = await keys.add(createKey(), { label: 'l' });
    await expect(check(id)).rejects.toMatchObject(isInvalid);
  });

  test('can be revoked by the key', async () => {
    const key = createKey();
    await keys.add(key, { label: 'l' });
    await keys.revoke(key);
    await expect(check(key)).rejects.toMatchObject(isInvalid);
  });

  test('can be revoked by their id', async () => {
    const key = createKey();
    const { id } = await keys.add(key, { label: 'l' });
    await keys.revoke(id);
    await expect(check(key)).rejects.toMatchObject(isInvalid);
    expect(await keys.list()).toEqual([]);
  });

  test('stay when another is revoked, or one that nobody knows', async () => {
    const [kept, revoked] = [createKey(), createKey()];
    await keys.add(kept, { label: 'kept' });
    await keys.add(revoked, { label: 'revoked' });
    await keys.revoke(revoked);
    await keys.revoke(createKey());
    await keys.revoke('nonsense');
    expect((await keys.list()).map(({ label }) => label)).toEqual(['kept']);
  });

  test('end when nobody holds their session lock, and only those', async () => {
    const [gone, alive, lasting] = [createKey(), createKey(), createKey()];
    await keys.add(gone, { label: 'gone', sessionLock: 'lock-1' });
    await keys.add(alive, { label: 'alive', sessionLock: 'lock-2' });
    await keys.add(lasting, { label: 'lasting' });
    const release = await holdWebLock('lock-2');
    await keys.prune();
    expect(await keys.list()).toHaveLength(2);
    await expect(check(gone)).rejects.toMatchObject(isInvalid);
    await expect(check(alive)).resolves.toMatchObject({ label: 'alive' });
    await expect(check(lasting)).resolves.toMatchObject({ label: 'lasting' });
    await release();
  });

  test('are not shared with another deployment', async () => {
    const key = createKey();
    await keys.add(key, { label: 'l' });
    await expect(new KeyReader(emptyDatabase()).check(`Bearer ${key}`)).rejects.toMatchObject(
      isInvalid,
    );
  });
});

describe('the database', () => {
  test('is opened again after its connection was lost', async () => {
    const key = createKey();
    await keys.add(key, { label: 'l' });
    const first = await open();
    // The declared type of `forceCloseDatabase` is wrong.
    Reflect.apply(forceCloseDatabase, undefined, [unwrap(first)]);
    expect(await check(key)).toMatchObject({ label: 'l' });
    expect(await open()).not.toBe(first);
  });

  test('is opened again by a page after it was deleted, which the page learns', async () => {
    const onLost = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const scope = `/${crypto.randomUUID()}/`;
    const own = new KeyStore(smallDatabase(scope, onLost));
    await own.add(createKey(), { label: 'l' });
    const deleting = indexedDB.deleteDatabase(`slashv1:${scope}`);
    await new Promise((resolve) => deleting.addEventListener('success', resolve));
    expect(onLost).toHaveBeenCalledOnce();
    expect(await own.list()).toEqual([]);
  });

  test('is opened again by a page that it was taken from by force, even if that fails at first', async () => {
    const scope = `/${crypto.randomUUID()}/`;
    const { promise: regained, resolve } = Promise.withResolvers<void>();
    const attempts = vi.fn<() => void>();
    let connection: IDBDatabase | undefined;
    const connect = databaseConnection(scope, openOrFail, async () => {
      attempts();
      await connect();
      resolve();
    });
    let failures = 0;
    async function openOrFail(name: string): Promise<IDBDatabase> {
      if (failures-- > 0) throw new DOMException('Internal error opening.', 'UnknownError');
      return requested(indexedDB.open(name));
    }
    connection = await connect();
    failures = 3;
    Reflect.apply(forceCloseDatabase, undefined, [connection]);
    await regained;
    expect(attempts).toHaveBeenCalledTimes(4);
  });

  test('that another tab keeps from being opened is an error, and is not left open when it comes too late', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const late = Promise.withResolvers<IDBDatabase>();
    const connect = databaseConnection('/', () => late.promise);
    const failure = expect(connect()).rejects.toMatchObject({ data: { code: 'storage_blocked' } });
    await vi.advanceTimersByTimeAsync(8_000);
    await failure;
    const database = Object.assign(new EventTarget(), { close: vi.fn<() => void>() });
    // @ts-expect-error -- a connection has more than this, which nothing here uses
    late.resolve(database);
    await vi.waitFor(() => expect(database.close).toHaveBeenCalledOnce());
    vi.useRealTimers();
  });

  test('does not block a newer version, in which its keys are still valid', async () => {
    const key = createKey();
    await keys.add(key, { label: 'l' });
    const { name, version } = await open();
    const request = indexedDB.open(name, version + 1);
    const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>();
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('blocked', () => reject(new Error('blocked')));
    const newer = await promise;
    expect(await check(key)).toMatchObject({ label: 'l' });
    expect((await open()).version).toBe(version + 1);
    newer.close();
  });
});
