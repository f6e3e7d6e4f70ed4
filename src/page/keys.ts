import type { StoredKey } from '../core/stores/database.ts';
import { createKey } from '../core/stores/key-format.ts';
import type { KeyStore } from '../core/stores/keys.ts';
import type { KeyInfo, Keys } from './api.ts';

type Rights = Pick<StoredKey, 'models' | 'autoInstall' | 'manageModels'>;

/** As in Keys. */
export async function addKey(
  keys: KeyStore,
  { label = '', ...given }: Parameters<Keys['create']>[0] = {},
): Promise<string> {
  const key = createKey();
  await keys.add(key, { label, ...rights(given) });
  return key;
}

/** As in Keys. */
export async function listKeys(keys: KeyStore): Promise<KeyInfo[]> {
  return (await keys.list()).map(keyInfo);
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
