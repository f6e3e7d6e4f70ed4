import type { StoredKey } from '../database/database.ts';
import { sha256Hex } from '../database/hash.ts';
import type { KeyDatabase, KeyTransaction } from '../database/plain-database.ts';
import { urlSecret } from './signed-url.ts';
import { whileFree } from '../port/web-lock.ts';

export type KeyFacts = Omit<StoredKey, 'id' | 'createdAt' | 'urlSecret'>;

/** The keys that end with their pages. All keys are in IndexedDB as hashes: reading the database gives nobody a key. */
export class SessionKeys {
  readonly #open: () => Promise<KeyDatabase>;

  constructor(open: () => Promise<KeyDatabase>) {
    this.#open = open;
  }

  /**
   * Makes a key valid as long as its `sessionLock` is held, which the caller holds already. A stored key is left as it is.
   *
   * @returns what is stored
   */
  async addSession(key: string, facts: KeyFacts & { sessionLock: string }): Promise<StoredKey> {
    const fresh = await record(key, facts);
    const { store, done } = await this.change();
    const found = await store.get(fresh.id);
    if (found) return found;
    await store.put(fresh);
    await done;
    return fresh;
  }

  /** Deletes the session keys whose lock nobody holds. */
  async prune(): Promise<void> {
    for (const { id, sessionLock } of await this.list()) {
      if (sessionLock !== undefined) {
        await whileFree(sessionLock, () => this.delete(id));
      }
    }
  }

  /** All keys. */
  async list(): Promise<StoredKey[]> {
    return (await this.#open()).getAll('keys');
  }

  protected async delete(id: string): Promise<void> {
    const { store, done } = await this.change();
    await store.delete(id);
    await done;
  }

  protected async change(): Promise<KeyTransaction> {
    return (await this.#open()).transaction('keys', 'readwrite');
  }
}

/** A new key as it is stored. */
export async function record(key: string, facts: KeyFacts): Promise<StoredKey> {
  const [id, secret] = await Promise.all([sha256Hex(key), urlSecret(key)]);
  return { id, urlSecret: secret, createdAt: Date.now(), ...facts };
}
