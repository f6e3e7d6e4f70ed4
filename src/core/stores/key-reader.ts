import type { StoredKey, StoreReader } from './database.ts';
import { invalidKey, keyExpired } from '../protocol/errors.ts';
import { sha256Hex } from './hash.ts';
import { KEY_PATTERN } from './key-format.ts';

/** The keys of KeyStore, for the service worker, which checks them. */
export class KeyReader {
  readonly #open: () => Promise<StoreReader>;

  constructor(open: () => Promise<StoreReader>) {
    this.#open = open;
  }

  /** @throws ApiError 401 for a key that is missing, malformed, unknown, revoked or expired */
  async check(authorization: string | null): Promise<StoredKey> {
    const key = authorization?.match(/^Bearer +(\S+)\s*$/i)?.[1];
    if (key === undefined) throw invalidKey('Send your API key as "Authorization: Bearer sk-…".');
    const stored = KEY_PATTERN.test(key)
      ? await (await this.#open()).get('keys', await sha256Hex(key))
      : undefined;
    if (!stored) throw invalidKey('Incorrect API key provided.');
    return unexpired(stored);
  }

  /** @throws ApiError 401 for a key that has expired */
  async find(id: string): Promise<StoredKey | undefined> {
    const stored = await (await this.#open()).get('keys', id);
    return stored && unexpired(stored);
  }
}

function unexpired(key: StoredKey): StoredKey {
  if (key.expiresAt !== undefined && key.expiresAt <= Date.now()) throw keyExpired(key.expiresAt);
  return key;
}
