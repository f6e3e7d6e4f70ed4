import type { StoredKey } from '../database/database.ts';
import type { StoreReader } from '../database/small-database.ts';
import { invalidKey, keyExpired } from '../errors/errors.ts';
import { sha256Hex } from '../text/sha256.ts';
import { isLockHeld } from '../port/web-lock.ts';
import { KEY_PATTERN } from './key-format.ts';

/** Checks the keys of KeyStore, for the service worker. */
export class KeyReader {
  readonly #open: () => Promise<StoreReader>;
  /** The latest key and its hash: most requests have the same key as the one before. */
  #latest?: { key: string; id: Promise<string> };

  constructor(open: () => Promise<StoreReader>) {
    this.#open = open;
  }

  /** @throws ApiError 401 for a key that is missing, malformed, unknown, revoked or expired, or whose page has ended */
  async check(authorization: string | null): Promise<StoredKey> {
    const key = authorization?.match(/^Bearer +(\S+)\s*$/i)?.[1];
    if (key === undefined) throw invalidKey('Send your API key as "Authorization: Bearer sk-…".');
    const stored = KEY_PATTERN.test(key)
      ? await (await this.#open()).get('keys', await this.#idOf(key))
      : undefined;
    if (!stored || !(await isAlive(stored))) throw invalidKey('Incorrect API key provided.');
    return unexpired(stored);
  }

  /** Only the hash is kept. The database is asked each time, because the key may have been revoked. */
  #idOf(key: string): Promise<string> {
    if (this.#latest?.key !== key) this.#latest = { key, id: sha256Hex(key) };
    return this.#latest.id;
  }

  /** @throws ApiError 401 for a key that has expired */
  async find(id: string): Promise<StoredKey | undefined> {
    const stored = await (await this.#open()).get('keys', id);
    return stored && (await isAlive(stored)) ? unexpired(stored) : undefined;
  }
}

/** Whether the key is still held by a page, if it is a session key. A page that crashed deletes nothing, but the browser frees its locks. */
async function isAlive({ sessionLock }: StoredKey): Promise<boolean> {
  return sessionLock === undefined || isLockHeld(sessionLock);
}

function unexpired(key: StoredKey): StoredKey {
  if (key.expiresAt !== undefined && key.expiresAt <= Date.now()) throw keyExpired(key.expiresAt);
  return key;
}
