/** The version that this build makes and knows. */
const VERSION = 1;

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
 * @param onLost - called when the database was deleted, or the browser closed it: it may be empty now
 */
export function databaseConnection<T extends Pick<IDBDatabase, 'addEventListener' | 'close'>>(
  scope: string,
  open: (name: string, version?: number) => Promise<T>,
  onLost?: () => void,
): () => Promise<T> {
  let current: Promise<T> | undefined;
  const forget = () => (current = undefined);
  const name = `slashv1:${scope}`;
  const connect = async () => {
    const db = await open(name, VERSION).catch((error: unknown) => {
      // A newer build has made the database: open it as it is.
      if (error instanceof DOMException && error.name === 'VersionError') return open(name);
      throw error;
    });
    db.addEventListener('close', () => {
      forget();
      onLost?.();
    });
    db.addEventListener('versionchange', ({ newVersion }) => {
      db.close();
      forget();
      if (newVersion === null) onLost?.();
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

/** Makes the stores of a new database. */
export function createStores(db: IDBDatabase): void {
  for (const name of ['keys', 'models']) db.createObjectStore(name, { keyPath: 'id' });
  for (const name of ['plans', 'files', 'segments', 'uses', 'device']) db.createObjectStore(name);
  db.createObjectStore('loads', { keyPath: ['model', 'variant'] });
}
