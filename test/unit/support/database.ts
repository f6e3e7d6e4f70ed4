import 'fake-indexeddb/auto';
import { databaseOpener, type Database } from '../../../src/core/database/database.ts';
import { plainKeys } from '../../../src/core/database/plain-database.ts';

/** The way to a new, empty database. */
export function emptyDatabase(): () => Promise<Database> {
  return databaseOpener(newScope());
}

/** The ways to a new, empty database: with idb, and that of pages. */
export function emptyDatabases() {
  const scope = newScope();
  return { open: databaseOpener(scope), openKeys: plainKeys(scope).open };
}

function newScope(): string {
  return `/${crypto.randomUUID()}/`;
}
