import type { StoredKey } from '../core/stores/database.ts';
import { createKey } from '../core/stores/key-format.ts';
import { KeyStore } from '../core/stores/keys.ts';
import type { KeyDatabase } from '../core/stores/plain-database.ts';
import type { KeyInfo, Keys } from './api.ts';

type Rights = Pick<StoredKey, 'models' | 'autoInstall' | 'manageModels'>;

/**
 * @param open - opens the database of keys
 * @param forwarding - where requests of keys that may leave the device go on to
 */
export function keysOf(
  open: () => Promise<KeyDatabase>,
  forwarding?: Pick<StoredKey, 'upstreams'>,
): Keys {
  const keys = new KeyStore(open);
  return {
    create: async ({ label = '', deviceOnly = false, ...given } = {}) => {
      const key = createKey();
      await keys.add(key, { label, ...rights(given), ...(!deviceOnly && forwarding) });
      return key;
    },
    revoke: (keyOrId) => keys.revoke(keyOrId),
    list: async () => (await keys.list()).map(keyInfo),
  };
}

function keyInfo({ id, label, createdAt, upstreams, ...stored }: StoredKey): KeyInfo {
  return {
    id,
    label,
    createdAt,
    ...rights(stored),
    ...(upstreams && { upstreams: upstreams.map(({ name }) => name) }),
  };
}

function rights({ models, autoInstall, manageModels }: Rights): Rights {
  return {
    ...(models && { models }),
    ...(autoInstall && { autoInstall }),
    ...(manageModels && { manageModels }),
  };
}
