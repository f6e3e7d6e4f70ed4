import 'fake-indexeddb/auto';
import { smallDatabase } from '../../../src/core/database/small-database.ts';
import { databaseOpener, type Database } from '../../../src/core/database/database.ts';

/** The way to a new, empty database. */
export function emptyDatabase(): () => Promise<Database> {
  return databaseOpener(newScope());
}

/** The ways to a new, empty database: that of engines, and that of pages and the service worker. */
export function emptyDatabases() {
  const scope = newScope();
  return { open: databaseOpener(scope), openSmall: smallDatabase(scope) };
}

function newScope(): string {
  return `/${crypto.randomUUID()}/`;
}
