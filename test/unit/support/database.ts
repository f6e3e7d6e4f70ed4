import 'fake-indexeddb/auto';
import { smallDatabase } from '../../../src/core/database/small-database.ts';
import { databaseOpener, type Database } from '../../../src/core/database/database.ts';

/** Gives a function that opens a new, empty database. */
export function emptyDatabase(): () => Promise<Database> {
  return databaseOpener(newScope());
}

/** Gives two functions that open a new, empty database: one for engines, one for pages and the service worker. */
export function emptyDatabases() {
  const scope = newScope();
  return { open: databaseOpener(scope), openSmall: smallDatabase(scope) };
}

function newScope(): string {
  return `/${crypto.randomUUID()}/`;
}
