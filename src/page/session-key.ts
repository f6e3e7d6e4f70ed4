import { createKey, KEY_PATTERN } from '../core/key-format.ts';
import type { KeyStore } from '../core/keys.ts';
import { holdWebLock } from '../core/web-lock.ts';
import { StartError } from './api.ts';

/**
 * Stores a key that is valid while this page lives: it holds a Web Lock, and whoever starts next
 * ends the keys whose lock is gone.
 *
 * @param wanted - the key to accept; undefined for a new one
 */
export async function openSessionKey(
  keys: KeyStore,
  wanted: string | undefined,
): Promise<{ key: string; end: () => Promise<void> }> {
  if (wanted !== undefined && !KEY_PATTERN.test(wanted)) {
    throw new StartError(
      'invalid_option',
      'apiKey must be "sk-slashv1-" and 43 base64url characters.',
    );
  }
  const key = wanted ?? createKey();
  const sessionLock = `slashv1:session:${crypto.randomUUID()}`;
  const release = await holdWebLock(sessionLock);
  await prune(keys);
  await keys.add(key, { label: 'session', sessionLock });
  return {
    key,
    end: async () => {
      await keys.revoke(key);
      release();
    },
  };
}

async function prune(keys: KeyStore): Promise<void> {
  const { held = [] } = await navigator.locks.query();
  const names = new Set(held.map((lock) => lock.name));
  await keys.prune((lock) => names.has(lock));
}
