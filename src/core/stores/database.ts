import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import type { CatalogEntry, Installation } from './catalog-entry.ts';

/** What is stored of an API key: never the key itself. */
export interface StoredKey {
  /** Hex SHA-256 of the key. */
  id: string;
  label: string;
  /** What it signs URLs with, hex; a key from before there were any has none. */
  urlSecret?: string;
  /** Unix milliseconds. */
  createdAt: number;
  /** Ids of the only models it may use. */
  models?: string[];
  /** Its requests wait for the download of a model that is known and not installed. */
  autoInstall?: boolean;
  /** Of a session key: the key ends when no page holds this Web Lock, which pages may share. */
  sessionLock?: string;
}

/** One file of a model, whole. */
export interface StoredFile {
  blob: Blob;
  /** Hex SHA-256 as computed when it was stored. */
  sha256: string;
}

/** One file of a model that stays in the segments it came in: nothing is written twice. */
export interface SegmentedFile {
  /** Bytes of all its segments. */
  size: number;
  /** As of StoredFile. */
  sha256: string;
}

/** A piece of a file, as it came off the wire. */
export interface StoredSegment {
  blob: Blob;
  /** What the server says of the file's version, if it does: an ETag or a date of last change. */
  validator?: string;
}

/** [model id, revision, path] */
export type FileKey = [model: string, revision: string, path: string];
/** A file's key and the offset in it, bytes. */
export type SegmentKey = [...FileKey, offset: number];

interface Schema extends DBSchema {
  keys: { key: string; value: StoredKey };
  catalog: { key: string; value: CatalogEntry };
  /** Files that are there entirely, and verified. */
  files: { key: FileKey; value: StoredFile | SegmentedFile };
  segments: { key: SegmentKey; value: StoredSegment };
  /** Model id → what is to be downloaded of it, while that is not done. */
  downloads: { key: string; value: Installation };
  /** Model id → when it was last used, Unix milliseconds. */
  uses: { key: string; value: number };
}

export type Database = IDBPDatabase<Schema>;
/** Writes to what the weight store holds. */
export type WeightTransaction = IDBPTransaction<Schema, ('files' | 'segments')[], 'readwrite'>;

/**
 * The database of one deployment: sites under different paths of an origin share no keys and no
 * catalog. Any tab may be asked to let a newer version in, and does. A newer version only ever adds:
 * a tab or a service worker of an older one goes on with what it knows.
 *
 * @param scope - path of the service worker's scope, e.g. `/` or `/repo/`
 */
export async function openDatabase(scope: string): Promise<Database> {
  try {
    return await open(scope, 2);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'VersionError') return open(scope);
    throw error;
  }
}

function open(scope: string, version?: number): Promise<Database> {
  return openDB<Schema>(`slashv1:${scope}`, version, {
    upgrade(db, oldVersion) {
      if (oldVersion < 1) {
        db.createObjectStore('keys', { keyPath: 'id' });
        db.createObjectStore('catalog', { keyPath: 'id' });
        db.createObjectStore('files');
      }
      if (oldVersion < 2) {
        db.createObjectStore('segments');
        db.createObjectStore('downloads');
        db.createObjectStore('uses');
      }
    },
    blocking(_current, _blocked, event) {
      if (event.target instanceof IDBDatabase) event.target.close();
    },
  });
}

/**
 * Opens on first use and again after the connection was lost (a newer version, or the browser's
 * own clean-up): an IndexedDB connection is no thing to keep for ever.
 *
 * @param onLost - called when it was deleted, or the browser closed it: it may be empty now
 */
export function databaseOpener(scope: string, onLost?: () => void): () => Promise<Database> {
  let current: Promise<Database> | undefined;
  return () => {
    current ??= openDatabase(scope).then(
      (db) => {
        db.addEventListener('close', () => {
          current = undefined;
          onLost?.();
        });
        db.addEventListener('versionchange', ({ newVersion }) => {
          current = undefined;
          if (newVersion === null) onLost?.();
        });
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
