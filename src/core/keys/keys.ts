import type { StoredKey } from '../database/database.ts';
import { sha256Hex } from '../text/sha256.ts';
import { record, SessionKeys, type KeyFacts } from './session-keys.ts';

const KEY_ID_PATTERN = /^[0-9a-f]{64}$/;

/** All API keys, with functions that only some pages need. They are separate to keep the page library small. */
export class KeyStore extends SessionKeys {
  async add(key: string, facts: KeyFacts): Promise<StoredKey> {
    const stored = await record(key, facts);
    await this.change((keys) => keys.put(stored));
    return stored;
  }

  /** Takes the key or its id. An unknown key is not an error. @returns its id */
  async revoke(keyOrId: string): Promise<string> {
    const id = KEY_ID_PATTERN.test(keyOrId) ? keyOrId : await sha256Hex(keyOrId);
    await this.change((keys) => keys.delete(id));
    return id;
  }
}
