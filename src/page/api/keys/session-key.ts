import type { StoredKey } from '../../../core/database/database.ts';
import { sha256Hex } from '../../../core/text/sha256.ts';
import type { SessionKeys } from '../../../core/keys/session-keys.ts';
import { holdWebLock } from '../../../core/port/web-lock.ts';
import type { KeyRights } from '../../worker/upstreams.ts';

/** The key of a page that has started. */
export interface SessionKey {
  key: string;
  /** Resolves when the key is valid; rejects if it cannot be stored. */
  stored: Promise<void>;
  /** Stores the key again after the database was deleted. */
  renew(): Promise<void>;
  /** Ends this page's use of the key. */
  end(): Promise<void>;
}

/**
 * Makes a key valid while this page lives. All pages that use the key hold one Web Lock; the key is deleted when the
 * last of them ends it, or by the next page that starts. A key that `keys.create()` made keeps its rights and is not
 * deleted here.
 */
export function openSessionKey(
  keys: SessionKeys,
  key: string,
  rights: Partial<
    Pick<StoredKey, 'label' | 'models' | 'autoInstall' | 'manageModels'> & KeyRights
  > = {},
): SessionKey {
  let isOpen = true;
  /** Whether the key is valid only because pages like this one use it. */
  let isOwn = false;
  const lock = sha256Hex(key).then((id) => `slashv1:session:${id}`);
  const held = lock.then((name) => holdWebLock(name, 'shared'));
  const store = async () => {
    const sessionLock = await lock;
    const stored = await keys.addSession(key, { label: 'session', sessionLock, ...rights });
    isOwn = stored.sessionLock !== undefined;
  };
  const open = async () => {
    await held;
    await keys.prune();
    await store();
  };
  const stored = open();
  return {
    key,
    stored,
    renew: async () => {
      if (isOpen && isOwn) await store();
    },
    end: async () => {
      isOpen = false;
      await stored.catch(() => undefined);
      await (
        await held
      )();
      await keys.prune();
    },
  };
}
