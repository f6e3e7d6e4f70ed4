import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { databaseConnection } from '../../core/database/connection.ts';
import type { StoredBytes } from '../../core/database/database.ts';
import { losesTransactions, oneTransactionAtATime } from '../../core/database/one-transaction.ts';
import type { FileFacts } from '../../core/operations/file-jobs.ts';

export interface StoredFileFacts extends FileFacts {
  owner: string;
}

/** How much an owner has stored. Counted as files come and go, so that nothing has to be added up. */
export interface Usage {
  files: number;
  bytes: number;
}

interface Schema extends DBSchema {
  files: {
    key: string;
    value: StoredFileFacts;
    indexes: { owner: [owner: string, createdAt: number] };
  };
  /** The files' bytes by id: lists of files do not read them. */
  contents: { key: string; value: StoredBytes };
  /** By owner. */
  usage: { key: string; value: Usage };
}

export type FilesDatabase = IDBPDatabase<Schema>;

/**
 * Gives access to the database of stored files. It is separate from the one that pages and service workers open, whose
 * code every visitor downloads.
 *
 * @param scope - as in `databaseConnection`
 */
export function filesDatabase(scope: string): () => Promise<FilesDatabase> {
  const open = databaseConnection(`files:${scope}`, openWithIdb);
  return losesTransactions(navigator.userAgent) ? oneTransactionAtATime(open) : open;
}

function openWithIdb(name: string, version?: number): Promise<FilesDatabase> {
  return openDB<Schema>(name, version, {
    upgrade(db) {
      db.createObjectStore('files', { keyPath: 'id' }).createIndex('owner', ['owner', 'createdAt']);
      db.createObjectStore('contents');
      db.createObjectStore('usage');
    },
  });
}
