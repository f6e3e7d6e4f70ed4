import type { StoredKey } from '../database/database.ts';
import type { KeyTransaction, SmallDatabase } from '../database/small-database.ts';
import { sha256Hex } from '../text/sha256.ts';
import { urlSecret } from './signed-url.ts';
import { whileFree } from '../port/web-lock.ts';

export type KeyFacts = Omit<StoredKey, 'id' | 'createdAt' | 'urlSecret'>;

/** The keys that end with their pages. All keys are in IndexedDB as hashes: a copy of the database reveals no key. */
export class SessionKeys {
  readonly #open: () => Promise<SmallDatabase>;

  constructor(open: () => Promise<SmallDatabase>) {
    this.#open = open;
  }

  /**
   * Makes a key valid as long as its `sessionLock` is held, which the caller holds already. A stored key
   * is left as it is.
   *
   * @returns what is stored
   */
  async addSession(key: string, facts: KeyFacts & { sessionLock: string }): Promise<StoredKey> {
    const fresh = await record(key, facts);
    return this.change(async (keys) => {
      const found = await keys.get(fresh.id);
      if (!found) await keys.put(fresh);
      return found ?? fresh;
    });
  }

  /** Deletes the session keys whose lock nobody holds. */
  async prune(): Promise<void> {
    for (const { id, sessionLock } of await this.list()) {
      if (sessionLock !== undefined) {
        await whileFree(sessionLock, () => this.change((keys) => keys.delete(id)));
      }
    }
  }

  /** All keys. */
  async list(): Promise<StoredKey[]> {
    return (await this.#open()).getAll('keys');
  }

  /** Changes keys in one transaction. */
  protected async change<T>(work: (keys: KeyTransaction['store']) => Promise<T>): Promise<T> {
    const { store, done } = (await this.#open()).transaction('keys', 'readwrite');
    const [result] = await Promise.all([work(store), done]);
    return result;
  }
}

/** A new key as it is stored. */
export async function record(key: string, facts: KeyFacts): Promise<StoredKey> {
  const [id, secret] = await Promise.all([sha256Hex(key), urlSecret(key)]);
  return { id, urlSecret: secret, createdAt: Date.now(), ...facts };
}
