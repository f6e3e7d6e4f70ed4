import 'fake-indexeddb/auto';
import { databaseOpener, type Database } from '../../../src/core/stores/database.ts';

/** The way to a new, empty database. */
export function emptyDatabase(): () => Promise<Database> {
  return databaseOpener(`/${crypto.randomUUID()}/`);
}
