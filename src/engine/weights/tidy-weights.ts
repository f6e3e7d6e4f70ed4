import type { Database } from '../../core/stores/database.ts';

/**
 * Deletes what nobody can use any more: weights and plans of models that the catalog has forgotten,
 * and weights of revisions that are neither installed, nor on their way, nor what the site offers.
 */
export async function tidyWeights(open: () => Promise<Database>): Promise<void> {
  const stores = ['catalog', 'downloads', 'files', 'segments'] as const;
  const transaction = (await open()).transaction(stores, 'readwrite');
  const useful = new Map<string, Set<string>>();
  for (const { id, installed, source } of await transaction.objectStore('catalog').getAll()) {
    const offered = source.kind === 'pack' ? [source.manifest.revision] : [];
    useful.set(id, new Set([...(installed ? [installed.revision] : []), ...offered]));
  }
  const downloads = transaction.objectStore('downloads');
  for (const id of await downloads.getAllKeys()) {
    const plan = await downloads.get(id);
    if (useful.has(id)) useful.get(id)?.add(plan?.revision ?? '');
    else await downloads.delete(id);
  }
  for (const name of ['files', 'segments'] as const) {
    const store = transaction.objectStore(name);
    let cursor = await store.openKeyCursor();
    while (cursor) {
      const [model, revision] = cursor.key;
      const all = IDBKeyRange.bound([model, revision], [model, revision, []]);
      if (!useful.get(model)?.has(revision)) await store.delete(all);
      // In IndexedDB's order an array comes after every string: on to the next revision.
      cursor = await store.openKeyCursor(IDBKeyRange.lowerBound([model, revision, []]));
    }
  }
  await transaction.done;
}
