import type { StoredKey } from './database.ts';
import { openPlain, requested } from './plain-reader.ts';

/** As much of the database as the page library needs. */
export interface KeyDatabase {
  getAll(name: 'keys'): Promise<StoredKey[]>;
  transaction(name: 'keys', mode: 'readwrite'): KeyTransaction;
}

/** Its functions are called one after the other, without anything else in between. */
export interface KeyTransaction {
  store: {
    get(id: string): Promise<StoredKey | undefined>;
    put(key: StoredKey): Promise<unknown>;
    delete(id: string): Promise<void>;
  };
  /** Resolves when everything is stored. */
  done: Promise<void>;
}

/**
 * The keys in the database without idb, for pages: every visitor downloads their library. The database is
 * opened on first use, and again after the connection was lost.
 *
 * @param scope - as in `openDatabase`
 * @param onLost - as in `databaseOpener`
 */
export function plainKeys(scope: string, onLost?: () => void): PlainKeys {
  let opened: Promise<IDBDatabase> | undefined;
  const forget = () => (opened = undefined);
  const open = () => {
    opened ??= openPlain(scope, (isEmpty) => {
      forget();
      if (isEmpty) onLost?.();
    });
    opened.catch(forget);
    return opened;
  };
  return {
    open: async () => {
      const db = await open();
      return {
        getAll: (name) => requested(db.transaction(name).objectStore(name).getAll()),
        transaction: (name, mode) => begun(db.transaction(name, mode), name),
      };
    },
    close: async () => (await opened)?.close(),
  };
}

interface PlainKeys {
  open: () => Promise<KeyDatabase>;
  close: () => Promise<void>;
}

function begun(transaction: IDBTransaction, name: string): KeyTransaction {
  const store = transaction.objectStore(name);
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The database is closed.'));
  });
  // A failed request rejects first: this must not count as unhandled.
  done.catch(() => undefined);
  return {
    store: {
      get: (id) => requested(store.get(id)),
      put: (key) => requested(store.put(key)),
      delete: (id) => requested(store.delete(id)),
    },
    done,
  };
}
