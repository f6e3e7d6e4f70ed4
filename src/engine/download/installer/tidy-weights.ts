import type { Database } from '../../../core/database/database.ts';
import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import { isOfNewerBuild, readEntry } from '../../../core/catalog/stored-entry.ts';

/** Model id → its revisions that are worth keeping; `all` for a model of a newer build. */
type Useful = Map<string, Set<string> | 'all'>;

/**
 * Deletes unused data: weights and plans of models that the catalog does not know, and
 * weights of revisions that are not installed, being downloaded, or offered by the site.
 */
export async function tidyWeights(open: () => Promise<Database>): Promise<void> {
  const stores = ['models', 'plans', 'files', 'segments'] as const;
  const transaction = (await open()).transaction(stores, 'readwrite');
  const useful: Useful = new Map();
  for (const stored of await transaction.objectStore('models').getAll()) {
    useful.set(stored.id, usefulRevisions(stored));
  }
  const plans = transaction.objectStore('plans');
  for (const id of await plans.getAllKeys()) {
    const revisions = useful.get(id);
    const plan = await plans.get(id);
    if (!revisions) await plans.delete(id);
    else if (revisions !== 'all' && plan) revisions.add(plan.revision);
  }
  for (const name of ['files', 'segments'] as const) {
    const store = transaction.objectStore(name);
    let cursor = await store.openKeyCursor();
    while (cursor) {
      const [model, revision] = cursor.key;
      const all = IDBKeyRange.bound([model, revision], [model, revision, []]);
      if (!isUseful(useful, model, revision)) await store.delete(all);
      // In IndexedDB's order an array comes after every string: this skips to the next revision.
      cursor = await store.openKeyCursor(IDBKeyRange.lowerBound([model, revision, []]));
    }
  }
  await transaction.done;
}

function usefulRevisions(stored: unknown): Set<string> | 'all' {
  if (isOfNewerBuild(stored)) return 'all';
  const entry = readEntry(stored);
  return entry ? revisionsOf(entry) : new Set();
}

/** The revisions that are installed, or offered by the site. */
export function revisionsOf({ variants, update }: CatalogEntry): Set<string> {
  const all = [...variants, ...(update?.variants ?? [])];
  const revisions = all.flatMap(({ source, installed }) => [
    ...(installed ? [installed.revision] : []),
    ...(source.kind === 'pack' ? [source.manifest.revision] : []),
  ]);
  return new Set(revisions);
}

function isUseful(useful: Useful, model: string, revision: string): boolean {
  const revisions = useful.get(model);
  return revisions === 'all' || (revisions?.has(revision) ?? false);
}
