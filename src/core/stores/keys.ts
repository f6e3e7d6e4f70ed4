import type { Database, StoredKey } from './database.ts';
import { sha256Hex } from './hash.ts';
import { urlSecret } from './signed-url.ts';

const KEY_ID_PATTERN = /^[0-9a-f]{64}$/;

/** API keys in IndexedDB, as hashes: reading the database gives nobody a key. */
export class KeyStore {
  readonly #open: () => Promise<Database>;

  constructor(open: () => Promise<Database>) {
    this.#open = open;
  }

  async add(
    key: string,
    info: Omit<StoredKey, 'id' | 'createdAt' | 'urlSecret'>,
  ): Promise<StoredKey> {
    const id = await sha256Hex(key);
    const stored = { id, urlSecret: await urlSecret(key), createdAt: Date.now(), ...info };
    await (await this.#open()).put('keys', stored);
    return stored;
  }

  /** Takes the key or its id; unknown ones are no error. */
  async revoke(keyOrId: string): Promise<void> {
    const id = KEY_ID_PATTERN.test(keyOrId) ? keyOrId : await sha256Hex(keyOrId);
    await (await this.#open()).delete('keys', id);
  }

  async list(): Promise<StoredKey[]> {
    return (await this.#open()).getAll('keys');
  }

  /** Ends the session keys of pages that are gone. */
  async prune(isHeld: (lock: string) => boolean): Promise<void> {
    const db = await this.#open();
    for (const { id, sessionLock } of await db.getAll('keys')) {
      if (sessionLock !== undefined && !isHeld(sessionLock)) await db.delete('keys', id);
    }
  }
}
