import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { CatalogEntry } from './catalog-entry.ts';

/** What is stored of an API key: never the key itself. */
export interface StoredKey {
  /** Hex SHA-256 of the key. */
  id: string;
  label: string;
  /** Unix milliseconds. */
  createdAt: number;
  /** Ids of the only models it may use. */
  models?: string[];
  /** The key ends when nobody holds this Web Lock any more: a page's session key. */
  sessionLock?: string;
}

/** One file of a model. */
export interface StoredFile {
  blob: Blob;
  /** Hex SHA-256 as computed when it was stored. */
  sha256: string;
}

interface Schema extends DBSchema {
  keys: { key: string; value: StoredKey };
  catalog: { key: string; value: CatalogEntry };
  /** [model id, revision, path] */
  files: { key: [string, string, string]; value: StoredFile };
}

export type Database = IDBPDatabase<Schema>;

/**
 * The database of one deployment: sites under different paths of an origin share no keys and no
 * catalog. Any tab may be asked to let a newer version in, and does.
 *
 * @param scope - path of the service worker's scope, e.g. `/` or `/repo/`
 */
export function openDatabase(scope: string): Promise<Database> {
  return openDB<Schema>(`slashv1:${scope}`, 1, {
    upgrade(db) {
      db.createObjectStore('keys', { keyPath: 'id' });
      db.createObjectStore('catalog', { keyPath: 'id' });
      db.createObjectStore('files');
    },
    blocking(_current, _blocked, event) {
      if (event.target instanceof IDBDatabase) event.target.close();
    },
  });
}

/**
 * Opens on first use and again after the connection was lost (a newer version, or the browser's
 * own clean-up): an IndexedDB connection is no thing to keep for ever.
 */
export function databaseOpener(scope: string): () => Promise<Database> {
  let current: Promise<Database> | undefined;
  return () => {
    current ??= openDatabase(scope).then(
      (db) => {
        db.addEventListener('close', () => (current = undefined));
        db.addEventListener('versionchange', () => (current = undefined));
        return db;
      },
      (error: unknown) => {
        current = undefined;
        throw error;
      },
    );
    return current;
  };
}
