import type { DBSchema, IDBPDatabase } from 'idb';
import { databaseConnection } from './connection.ts';
import { losesTransactions, oneTransactionAtATime } from './one-transaction.ts';

/**
 * Gives an engine access to a database, with idb. Call the function before each transaction: some browsers need them one
 * at a time.
 *
 * @param scope, open, onLost - as in `databaseConnection`
 */
export function engineConnection<S extends DBSchema>(
  scope: string,
  open: (name: string, version?: number) => Promise<IDBPDatabase<S>>,
  onLost?: () => Promise<unknown>,
): () => Promise<IDBPDatabase<S>> {
  const connected = databaseConnection(scope, open, onLost);
  return losesTransactions(navigator.userAgent) ? oneTransactionAtATime(connected) : connected;
}

/**
 * Closes the connection, if one can be had. In browsers that lose transactions, those of this realm have ended then: a
 * worker that is ended with one would leave it open.
 */
export async function closeConnection(
  open: () => Promise<Pick<IDBDatabase, 'close'>>,
): Promise<void> {
  (await open()).close();
}

/** Whether a database was ever made here. Opening it would make it. @param scope - as in `databaseConnection` */
export async function hasDatabase(scope: string): Promise<boolean> {
  const all = await indexedDB.databases();
  return all.some(({ name = '' }) => name.endsWith(`:${scope}`));
}
