import { CatalogReader } from './catalog.ts';
import type { CatalogEntry, Installation } from './catalog-entry.ts';

/** The catalog for those who keep it: the engine's side. Pages and the service worker only read. */
export class CatalogStore extends CatalogReader {
  async put(entry: CatalogEntry): Promise<void> {
    await (await this.open()).put('catalog', entry);
  }

  /** The catalog does not know it any more. */
  async delete(id: string): Promise<void> {
    await (await this.open()).delete('catalog', id);
  }

  async begin(id: string, plan: Installation): Promise<void> {
    await (await this.open()).put('downloads', plan, id);
  }

  /** A download is done, or given up for good. */
  async endPlan(id: string): Promise<void> {
    await (await this.open()).delete('downloads', id);
  }

  /** All of the model is in the store. */
  async finish(entry: CatalogEntry & { installed: Installation }): Promise<void> {
    const db = await this.open();
    const transaction = db.transaction(['catalog', 'downloads'], 'readwrite');
    const catalog = transaction.objectStore('catalog');
    // What the lists say of it may have changed while it came.
    const { installed, bytes, features } = entry;
    const learnt = { installed, ...(bytes && { bytes }), ...(features && { features }) };
    await catalog.put({ ...((await catalog.get(entry.id)) ?? entry), ...learnt });
    await transaction.objectStore('downloads').delete(entry.id);
    await transaction.done;
  }

  /** The model is used now. */
  async touch(id: string): Promise<void> {
    await (await this.open()).put('uses', Date.now(), id);
  }

  /**
   * Brings the catalog up to date in one transaction. What is installed stays installed, as long as
   * its files are the ones the new entry names.
   *
   * @param fresh - all entries of one kind of source
   */
  async replace(kind: CatalogEntry['source']['kind'], fresh: CatalogEntry[]): Promise<void> {
    const transaction = (await this.open()).transaction('catalog', 'readwrite');
    const entries = await transaction.store.getAll();
    const known = new Map(entries.map((entry) => [entry.id, entry]));
    const ids = new Set(fresh.map((entry) => entry.id));
    const gone = entries.filter(
      (old) => old.source.kind === kind && !ids.has(old.id) && !old.installed && !old.added,
    );
    await Promise.all([
      ...gone.map(({ id }) => transaction.store.delete(id)),
      ...changes(kind, fresh, known).map((entry) => transaction.store.put(entry)),
      transaction.done,
    ]);
  }
}

/**
 * What there is to write: nothing, when a page comes back to the same site. Reading and writing each of
 * the hub's models anew took 60 ms of every start.
 */
function changes(
  kind: CatalogEntry['source']['kind'],
  fresh: CatalogEntry[],
  known: Map<string, CatalogEntry>,
): CatalogEntry[] {
  return fresh.flatMap((entry) => {
    const old = known.get(entry.id);
    // The site's own pack wins over the hub's entry of the same name.
    if (old?.source.kind === 'pack' && kind !== 'pack') return [];
    const next = keepInstallation(entry, old);
    return JSON.stringify(next) === JSON.stringify(old) ? [] : [next];
  });
}

function keepInstallation(entry: CatalogEntry, old: CatalogEntry | undefined): CatalogEntry {
  const revision = entry.source.kind === 'pack' ? entry.source.manifest.revision : undefined;
  const installed = old?.installed;
  if (!installed || (revision !== undefined && revision !== installed.revision)) return entry;
  // What only the installation could tell: a list knows about how much it is, if anything.
  const { bytes, features } = old;
  return { ...(features && { features }), ...entry, ...(bytes && { bytes }), installed };
}
