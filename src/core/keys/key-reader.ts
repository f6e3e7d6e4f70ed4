import type { StoredKey } from '../database/database.ts';
import type { StoreReader } from '../database/small-database.ts';
import { invalidKey, keyExpired } from '../errors/errors.ts';
import { sha256Hex } from '../database/hash.ts';
import { isLockHeld } from '../port/web-lock.ts';
import { KEY_PATTERN } from './key-format.ts';

/** The keys of KeyStore, for the service worker, which checks them. */
export class KeyReader {
  readonly #open: () => Promise<StoreReader>;
  /** The latest key and its hash: most requests come with the key of the one before. */
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

  /** Whether it is a key is asked of the database each time: it may have been revoked. */
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

/** Whether a page with the session key still lives. A page that crashed deletes nothing, but the browser frees its locks. */
async function isAlive({ sessionLock }: StoredKey): Promise<boolean> {
  return sessionLock === undefined || isLockHeld(sessionLock);
}

function unexpired(key: StoredKey): StoredKey {
  if (key.expiresAt !== undefined && key.expiresAt <= Date.now()) throw keyExpired(key.expiresAt);
  return key;
}
