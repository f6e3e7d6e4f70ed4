import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type { Database } from '../../../core/database/database.ts';
import {
  entryFromVersion2,
  planFromVersion2,
  type EntryOfVersion2,
} from '../../../core/database/version-2.ts';

/**
 * Copies the catalog and the unfinished downloads of a database of version 2 to the stores of version 3.
 * It runs once, before the catalog is filled. The engine does this and not the upgrade itself, because any
 * page may run the upgrade, and the page library has no room for the conversion. The old stores stay as
 * they are, for tabs of older builds; `adoptOlderInstalls` takes over what those write later.
 */
export async function migrateCatalog(open: () => Promise<Database>): Promise<void> {
  // On most starts there is nothing to copy, and a transaction that may write would take longer.
  if ((await (await open()).count('catalog')) === 0) return;
  if ((await (await open()).count('models')) > 0) return;
  const names = ['catalog', 'downloads', 'models', 'plans'] as const;
  const transaction = (await open()).transaction(names, 'readwrite');
  const isMigrated = (await transaction.objectStore('models').count()) > 0;
  const entries = isMigrated ? [] : await transaction.objectStore('catalog').getAll();
  for (const old of entries) {
    const entry = entryOrUndefined(old);
    if (!entry) continue;
    await transaction.objectStore('models').put(entry);
    const plan = await transaction.objectStore('downloads').get(entry.id);
    if (plan) await transaction.objectStore('plans').put(planFromVersion2(entry, plan), entry.id);
  }
  await transaction.done;
}

/** A damaged entry is left out, so that it cannot keep the others from being copied. */
function entryOrUndefined(old: EntryOfVersion2): CatalogEntry | undefined {
  try {
    return entryFromVersion2(old);
  } catch {
    return undefined;
  }
}
