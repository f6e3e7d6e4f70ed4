import { createStores, DATABASE_VERSION, databaseName, isVersionError } from './database-stores.ts';
import type { StoreReader } from './database.ts';

/**
 * Reads the database without idb, for the service worker: every visitor downloads it. The database is opened
 * on first use, and again after the connection was lost.
 *
 * @param scope - as in `openDatabase`
 */
export function plainReader(scope: string): () => Promise<StoreReader> {
  let opened: Promise<IDBDatabase> | undefined;
  const forget = () => (opened = undefined);
  const read = async <T>(name: string, ask: (store: IDBObjectStore) => IDBRequest<T>) => {
    opened ??= openPlain(scope, forget);
    opened.catch(forget);
    return requested(ask((await opened).transaction(name).objectStore(name)));
  };
  const reader: StoreReader = {
    get: (name, key) => read(name, (store) => store.get(key)),
    getAll: (name, query, count) => read(name, (store) => store.getAll(query, count)),
  };
  return () => Promise.resolve(reader);
}

/** @param onLost - called when the connection is lost: whether the database may be empty now */
export async function openPlain(
  scope: string,
  onLost: (isEmpty: boolean) => void,
): Promise<IDBDatabase> {
  const db = await request(scope, DATABASE_VERSION).catch((error: unknown) => {
    if (isVersionError(error)) return request(scope);
    throw error;
  });
  db.addEventListener('close', () => onLost(true));
  db.addEventListener('versionchange', ({ newVersion }) => {
    db.close();
    onLost(newVersion === null);
  });
  return db;
}

function request(scope: string, version?: number): Promise<IDBDatabase> {
  const opening = indexedDB.open(databaseName(scope), version);
  opening.onupgradeneeded = ({ oldVersion }) => createStores(opening.result, oldVersion);
  return requested(opening);
}

/** The result of a request. */
export function requested<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error('The database does not answer.'));
  });
}
