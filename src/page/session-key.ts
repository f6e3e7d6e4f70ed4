import { createKey, KEY_PATTERN } from '../core/stores/key-format.ts';
import type { StoredKey } from '../core/stores/database.ts';
import type { KeyStore } from '../core/stores/keys.ts';
import { holdWebLock } from '../core/protocol/web-lock.ts';
import { StartError } from './api.ts';

/** A page's own key, and what becomes of it. */
export interface SessionKey {
  key: string;
  /** Settles when it is valid, or cannot be. */
  stored: Promise<void>;
  /** Stores it again: the database was deleted. */
  renew(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Stores a key that is valid while this page lives: it holds a Web Lock, and whoever starts next
 * ends the keys whose lock is gone.
 *
 * @param wanted - the key to accept; undefined for a new one
 * @throws StartError when that is none
 */
export function openSessionKey(
  keys: KeyStore,
  wanted: string | undefined,
  rights: Pick<StoredKey, 'autoInstall'> = {},
): SessionKey {
  if (wanted !== undefined && !KEY_PATTERN.test(wanted)) {
    throw new StartError(
      'invalid_option',
      'apiKey must be "sk-slashv1-" and 43 base64url characters.',
    );
  }
  const key = wanted ?? createKey();
  const sessionLock = `slashv1:session:${crypto.randomUUID()}`;
  const held = holdWebLock(sessionLock);
  let isOpen = true;
  const store = async () => {
    if (isOpen) await keys.add(key, { label: 'session', sessionLock, ...rights });
  };
  const open = async () => {
    await held;
    await prune(keys);
    await store();
  };
  const stored = open();
  return {
    key,
    stored,
    renew: store,
    end: async () => {
      isOpen = false;
      await stored.catch(() => undefined);
      await keys.revoke(key);
      (await held)();
    },
  };
}

async function prune(keys: KeyStore): Promise<void> {
  const { held = [] } = await navigator.locks.query();
  const names = new Set(held.map((lock) => lock.name));
  await keys.prune((lock) => names.has(lock));
}
