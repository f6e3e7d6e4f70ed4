import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../src/core/database/database.ts';
import { sha256Hex } from '../../../../src/core/text/sha256.ts';
import { createKey } from '../../../../src/core/keys/key-format.ts';
import { KeyReader } from '../../../../src/core/keys/key-reader.ts';
import { KeyStore } from '../../../../src/core/keys/keys.ts';
import { openSessionKey } from '../../../../src/page/api/keys/session-key.ts';
import { emptyDatabases } from '../../support/database.ts';
import { FakeLocks } from '../../support/fakes/fake-locks.ts';

let open: () => Promise<Database>;
let keys: KeyStore;
let locks: FakeLocks;

beforeEach(() => {
  const databases = emptyDatabases();
  open = databases.open;
  keys = new KeyStore(databases.openSmall);
  locks = new FakeLocks();
  vi.stubGlobal('navigator', { locks });
});

afterEach(() => vi.unstubAllGlobals());

const check = (key: string) => new KeyReader(open).check(`Bearer ${key}`);
const isInvalid = { data: { status: 401, code: 'invalid_api_key' } };

/** The session of one tab. */
async function openTab(key = createKey(), rights = {}) {
  const session = openSessionKey(keys, key, rights);
  await session.stored;
  return session;
}

/** Releases the tabs' locks without telling anyone, as the browser does when a tab crashes. */
function crashTabs(): void {
  for (const name of locks.held) locks.endHolder(name);
}

describe('a session key', () => {
  test('is accepted, with its rights, until its page stops', async () => {
    const session = await openTab(createKey(), { autoInstall: true });
    expect(await check(session.key)).toMatchObject({ label: 'session', autoInstall: true });
    await session.end();
    await expect(check(session.key)).rejects.toMatchObject(isInvalid);
    expect(locks.held).toEqual([]);
  });

  test('of a page that is gone is refused at once, and deleted when the next page starts', async () => {
    const { key } = await openTab();
    crashTabs();
    await expect(check(key)).rejects.toMatchObject(isInvalid);
    expect(await keys.list()).toHaveLength(1);
    const next = await openTab();
    expect(await keys.list()).toHaveLength(1);
    expect(await check(next.key)).toMatchObject({ label: 'session' });
  });

  test('of a page that is gone signs no URL any more', async () => {
    const { key } = await openTab();
    const id = await sha256Hex(key);
    const reader = new KeyReader(open);
    expect(await reader.find(id)).toMatchObject({ label: 'session' });
    crashTabs();
    expect(await reader.find(id)).toBeUndefined();
  });

  test('of another page that lives is left alone', async () => {
    const other = await openTab();
    const session = await openTab();
    await session.end();
    expect(await check(other.key)).toMatchObject({ label: 'session' });
  });

  test('is stored again when the database was deleted', async () => {
    const session = await openTab();
    await (await open()).clear('keys');
    await session.renew();
    expect(await check(session.key)).toMatchObject({ label: 'session' });
  });

  test('is not stored again after its end', async () => {
    const session = await openTab();
    await session.end();
    await session.renew();
    await expect(check(session.key)).rejects.toMatchObject(isInvalid);
  });
});

describe('a session key that two tabs share', () => {
  test('lives until the last one stops, whichever that is', async () => {
    const first = await openTab();
    const second = await openTab(first.key);
    await first.end();
    expect(await check(first.key)).toMatchObject({ label: 'session' });
    const third = await openTab(first.key);
    await second.end();
    expect(await check(first.key)).toMatchObject({ label: 'session' });
    await third.end();
    await expect(check(first.key)).rejects.toMatchObject(isInvalid);
  });

  test('ends when both stop at once', async () => {
    const first = await openTab();
    const second = await openTab(first.key);
    await Promise.all([first.end(), second.end()]);
    await expect(check(first.key)).rejects.toMatchObject(isInvalid);
  });

  test('lives when one tab stops while another starts', async () => {
    const first = await openTab();
    const starting = openTab(first.key);
    await Promise.all([first.end(), starting]);
    expect(await check(first.key)).toMatchObject({ label: 'session' });
  });

  test('keeps the rights that the first one gave it', async () => {
    const first = await openTab(createKey(), { autoInstall: true });
    await openTab(first.key);
    expect(await check(first.key)).toMatchObject({ autoInstall: true });
  });
});

describe('a key that was created before', () => {
  const create = async () => {
    const key = createKey();
    await keys.add(key, { label: 'app', models: ['m'] });
    return key;
  };

  test('keeps its record as a session key, and after the session', async () => {
    const key = await create();
    const before = await check(key);
    const session = await openTab(key, { autoInstall: true });
    expect(await check(key)).toEqual(before);
    await session.end();
    expect(await check(key)).toEqual(before);
  });

  test('outlives a page that is gone', async () => {
    const key = await create();
    await openTab(key);
    crashTabs();
    await openTab();
    expect(await check(key)).toMatchObject({ label: 'app', models: ['m'] });
  });

  test('does not return without its restriction when the database was deleted', async () => {
    const key = await create();
    const session = await openTab(key);
    await (await open()).clear('keys');
    await session.renew();
    await expect(check(key)).rejects.toMatchObject(isInvalid);
  });
});
