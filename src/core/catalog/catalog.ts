import { isEmbedded, type CatalogEntry } from './catalog-entry.ts';
import type { StoreReader } from '../database/small-database.ts';
import { readEntry } from './stored-entry.ts';

/** The models that this deployment knows, in IndexedDB. Pages and the service worker only read them. */
export class CatalogReader<D extends StoreReader = StoreReader> {
  protected readonly open: () => Promise<D>;

  constructor(open: () => Promise<D>) {
    this.open = open;
  }

  async get(id: string): Promise<CatalogEntry | undefined> {
    return readEntry(await (await this.open()).get('models', id));
  }

  /** The site's own packs first, in its order; then all others by id. */
  async list(): Promise<CatalogEntry[]> {
    const stored = await (await this.open()).getAll('models');
    const entries = stored.map(readEntry).filter((entry) => entry !== undefined);
    return entries.sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id));
  }
}

function rank(entry: CatalogEntry): number {
  if (!isEmbedded(entry)) return Number.MAX_SAFE_INTEGER;
  const { variants } = entry.update ?? entry;
  const positions = variants.map(({ source }) =>
    source.kind === 'pack' ? source.position : Number.MAX_SAFE_INTEGER,
  );
  return Math.min(...positions);
}
