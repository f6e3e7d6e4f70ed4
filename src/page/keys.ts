import type { StoredKey } from '../core/stores/database.ts';
import { createKey } from '../core/stores/key-format.ts';
import type { KeyStore } from '../core/stores/keys.ts';
import type { KeyInfo, Keys } from './api.ts';

type Rights = Pick<StoredKey, 'models' | 'autoInstall' | 'manageModels'>;

/** The API keys of the page API. */
export function createKeys(keys: KeyStore): Keys {
  return {
    async create({ label = '', ...given } = {}) {
      const key = createKey();
      await keys.add(key, { label, ...rights(given) });
      return key;
    },
    revoke: (keyOrId) => keys.revoke(keyOrId),
    list: async () => (await keys.list()).map(keyInfo),
  };
}

function keyInfo({ id, label, createdAt, ...stored }: StoredKey): KeyInfo {
  return { id, label, createdAt, ...rights(stored) };
}

function rights({ models, autoInstall, manageModels }: Rights): Rights {
  return {
    ...(models && { models }),
    ...(autoInstall && { autoInstall }),
    ...(manageModels && { manageModels }),
  };
}
