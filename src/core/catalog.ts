import { isServable, type CatalogEntry } from './catalog-entry.ts';
import type { Database } from './database.ts';

/** The models that this deployment knows, in IndexedDB; its own packs come first, as it lists them. */
export class CatalogStore {
  readonly #open: () => Promise<Database>;

  constructor(open: () => Promise<Database>) {
    this.#open = open;
  }

  async get(id: string): Promise<CatalogEntry | undefined> {
    return (await this.#open()).get('catalog', id);
  }

  async list(): Promise<CatalogEntry[]> {
    const entries = await (await this.#open()).getAll('catalog');
    const rank = ({ source }: CatalogEntry) =>
      source.kind === 'pack' ? source.position : Number.MAX_SAFE_INTEGER;
    return entries.sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id));
  }

  async put(entry: CatalogEntry): Promise<void> {
    await (await this.#open()).put('catalog', entry);
  }

  /**
   * Brings the catalog up to date in one transaction. What is installed stays installed, as long as
   * its files are the ones the new entry names.
   *
   * @param fresh - all entries of one kind of source
   */
  async replace(kind: CatalogEntry['source']['kind'], fresh: CatalogEntry[]): Promise<void> {
    const transaction = (await this.#open()).transaction('catalog', 'readwrite');
    const entries = await transaction.store.getAll();
    const known = new Map(entries.map((entry) => [entry.id, entry]));
    const ids = new Set(fresh.map((entry) => entry.id));
    const gone = entries.filter(
      (old) => old.source.kind === kind && !ids.has(old.id) && !old.installed,
    );
    await Promise.all([
      ...gone.map(({ id }) => transaction.store.delete(id)),
      ...changes(kind, fresh, known).map((entry) => transaction.store.put(entry)),
      transaction.done,
    ]);
  }
}

/** The part of the catalog that the API shows. */
export class ServableCatalog {
  readonly #catalog: CatalogStore;

  constructor(catalog: CatalogStore) {
    this.#catalog = catalog;
  }

  async list(): Promise<CatalogEntry[]> {
    return (await this.#catalog.list()).filter(isServable);
  }

  async get(id: string): Promise<CatalogEntry | undefined> {
    const entry = await this.#catalog.get(id);
    return entry && isServable(entry) ? entry : undefined;
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
    if (old?.source.kind === 'pack' && kind === 'hub') return [];
    const next = keepInstallation(entry, old);
    return JSON.stringify(next) === JSON.stringify(old) ? [] : [next];
  });
}

function keepInstallation(entry: CatalogEntry, old: CatalogEntry | undefined): CatalogEntry {
  const revision = entry.source.kind === 'pack' ? entry.source.manifest.revision : undefined;
  const installed = old?.installed;
  if (!installed || (revision !== undefined && revision !== installed.revision)) return entry;
  // What only the installation could tell: the hub's list knows neither.
  const { bytes, features } = old;
  return { ...(bytes && { bytes }), ...(features && { features }), ...entry, installed };
}
