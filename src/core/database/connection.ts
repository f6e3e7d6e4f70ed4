import { inTime } from '../async/in-time.ts';
import { serverError } from '../errors/errors.ts';
import { repeating } from './repeating.ts';

/** The version that this build makes and knows. */
const VERSION = 1;

/** The longest time that opening may take, milliseconds. If another tab blocks it, the browser never gives up. */
const OPEN_MS = 8_000;

/**
 * Gives access to the database of one deployment. Sites under different paths of an origin share no keys and no
 * catalog. The database is opened on first use, and again after the connection was lost: to a newer version, or
 * because the browser cleaned up. Every tab closes its connection when a newer version wants to open the
 * database. A newer version only ever adds stores, because tabs and service workers of older builds continue
 * to use those that they know.
 *
 * @param scope - path of the service worker's scope, e.g. `/` or `/repo/`
 * @param open - opens a version of the database, and makes its stores with `createStores`; without a version,
 *   opens the existing one
 * @param onLost - called when the database was deleted, or the browser closed it: it may be empty now. It is called
 *   again until it succeeds, because a browser that cleans up may not open the database at once
 * @returns rejects with an ApiError `storage_blocked` if another tab keeps the database from being opened
 */
export function databaseConnection<T extends Pick<IDBDatabase, 'addEventListener' | 'close'>>(
  scope: string,
  open: (name: string, version?: number) => Promise<T>,
  onLost?: () => Promise<unknown>,
): () => Promise<T> {
  let current: Promise<T> | undefined;
  const forget = () => (current = undefined);
  const regain = onLost && repeating(onLost);
  const name = `slashv1:${scope}`;
  const connect = async () => {
    const db = await unlessBlocked(open(name, VERSION)).catch((error: unknown) => {
      // A newer build has made the database: open it as it is.
      if (error instanceof DOMException && error.name === 'VersionError') {
        return unlessBlocked(open(name));
      }
      throw error;
    });
    db.addEventListener('close', () => {
      forget();
      regain?.();
    });
    db.addEventListener('versionchange', ({ newVersion }) => {
      db.close();
      forget();
      if (newVersion === null) regain?.();
    });
    return db;
  };
  return () => {
    if (!current) {
      current = connect();
      current.catch(forget);
    }
    return current;
  };
}

/** The opened database. One that is opened too late is closed: nobody would close it for a newer version. */
async function unlessBlocked<T extends Pick<IDBDatabase, 'close'>>(opening: Promise<T>) {
  try {
    return await inTime(opening, OPEN_MS, blocked);
  } catch (error) {
    opening.then(
      (db) => db.close(),
      () => undefined,
    );
    throw error;
  }
}

function blocked(): Error {
  return serverError(
    'storage_blocked',
    'Another tab of this site keeps its database from being opened: close the other tabs.',
  );
}

/** Makes the stores of a new database. */
export function createStores(db: IDBDatabase): void {
  for (const name of ['keys', 'models']) db.createObjectStore(name, { keyPath: 'id' });
  for (const name of ['plans', 'files', 'segments', 'uses', 'device', 'checks'])
    db.createObjectStore(name);
  db.createObjectStore('loads', { keyPath: ['model', 'variant'] });
}
