import type { StoredKey } from '../core/stores/database.ts';
import { createKey } from '../core/stores/key-format.ts';
import type { KeyStore } from '../core/stores/keys.ts';
import type { KeyInfo, Keys } from './api.ts';

/** The API keys of the page API. */
export function createKeys(keys: KeyStore): Keys {
  return {
    async create({ label = '', models, autoInstall } = {}) {
      const key = createKey();
      await keys.add(key, { label, ...rights(models, autoInstall) });
      return key;
    },
    revoke: (keyOrId) => keys.revoke(keyOrId),
    list: async () => (await keys.list()).map(keyInfo),
  };
}

function keyInfo({ id, label, createdAt, models, autoInstall }: StoredKey): KeyInfo {
  return { id, label, createdAt, ...rights(models, autoInstall) };
}

function rights(models: string[] | undefined, autoInstall: boolean | undefined) {
  return { ...(models && { models }), ...(autoInstall && { autoInstall }) };
}
