import type { StoredKey, StoreReader } from './database.ts';
import { invalidKey } from '../protocol/errors.ts';
import { sha256Hex } from './hash.ts';
import { KEY_PATTERN } from './key-format.ts';

/** The keys of KeyStore, for the service worker, which checks them. */
export class KeyReader {
  readonly #open: () => Promise<StoreReader>;

  constructor(open: () => Promise<StoreReader>) {
    this.#open = open;
  }

  /** @throws ApiError 401 for a key that is missing, malformed, unknown or revoked */
  async check(authorization: string | null): Promise<StoredKey> {
    const key = authorization?.match(/^Bearer +(\S+)\s*$/i)?.[1];
    if (key === undefined) throw invalidKey('Send your API key as "Authorization: Bearer sk-…".');
    const stored = KEY_PATTERN.test(key)
      ? await (await this.#open()).get('keys', await sha256Hex(key))
      : undefined;
    if (!stored) throw invalidKey('Incorrect API key provided.');
    return stored;
  }

  async find(id: string): Promise<StoredKey | undefined> {
    return (await this.#open()).get('keys', id);
  }
}
