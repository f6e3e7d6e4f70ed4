import { createStores, databaseConnection } from './connection.ts';
import type { Database, StoredKey } from './database.ts';

/** The part of `Database` that readers need. */
export type StoreReader = Pick<Database, 'get' | 'getAll'>;

/** The database of pages and the service worker. */
export interface SmallDatabase extends StoreReader {
  close(): void;
  transaction(name: 'keys', mode: 'readwrite'): KeyTransaction;
}

/** A transaction that changes keys. Await nothing else between calls of its functions: it would end. */
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
 * Gives access to the database without idb, which would make the page library and `sw-api.js` 1.0 kB larger each,
 * gzipped. Every visitor downloads them.
 *
 * @param scope - as in `databaseConnection`
 * @param onLost - as in `databaseConnection`
 */
export function smallDatabase(
  scope: string,
  onLost?: () => Promise<unknown>,
): () => Promise<SmallDatabase> {
  const connect = databaseConnection(scope, openPlain, onLost);
  return async () => adapted(await connect());
}

function openPlain(name: string, version?: number): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, version);
  opening.onupgradeneeded = () => createStores(opening.result);
  return requested(opening);
}

function adapted(db: IDBDatabase): SmallDatabase {
  const storeOf = (name: string) => db.transaction(name).objectStore(name);
  return {
    get: (name, key) => requested(storeOf(name).get(key)),
    getAll: (name, query, count) => requested(storeOf(name).getAll(query, count)),
    transaction: (name, mode) => begun(db.transaction(name, mode), name),
    close: () => db.close(),
  };
}

function begun(transaction: IDBTransaction, name: string): KeyTransaction {
  const store = transaction.objectStore(name);
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The database is closed.'));
  });
  return {
    store: {
      get: (id) => requested(store.get(id)),
      put: (key) => requested(store.put(key)),
      delete: (id) => requested(store.delete(id)),
    },
    done,
  };
}

/** The result of a request. */
export function requested<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error('The database does not answer.'));
  });
}
