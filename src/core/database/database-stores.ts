/** The database's version that this build makes and knows. */
export const DATABASE_VERSION = 4;

/** @param scope - path of the service worker's scope */
export const databaseName = (scope: string) => `slashv1:${scope}`;

/** Whether a newer build has made the database: its version is then opened as it is. */
export function isVersionError(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'VersionError';
}

/** Makes the stores that a database of an older version lacks; 0: it is new. */
export function createStores(
  db: { createObjectStore(name: string, options?: IDBObjectStoreParameters): unknown },
  oldVersion: number,
): void {
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
  if (oldVersion < 3) {
    db.createObjectStore('models', { keyPath: 'id' });
    db.createObjectStore('plans');
  }
  if (oldVersion < 4) {
    db.createObjectStore('device');
    db.createObjectStore('loads', { keyPath: ['model', 'variant'] });
  }
}
