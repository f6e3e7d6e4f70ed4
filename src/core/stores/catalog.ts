import { isEmbedded, type CatalogEntry } from './catalog-entry.ts';
import type { Database } from './database.ts';
import { readEntry } from './stored-entry.ts';
import type { DownloadPlan } from './variant.ts';

/** The models that this deployment knows, in IndexedDB. Pages and the service worker only read them. */
export class CatalogReader {
  protected readonly open: () => Promise<Database>;

  constructor(open: () => Promise<Database>) {
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

  /** The unfinished download of a model, if there is one. */
  async plan(id: string): Promise<DownloadPlan | undefined> {
    return (await this.open()).get('plans', id);
  }

  /** Model id → its unfinished download. */
  async plans(): Promise<Map<string, DownloadPlan>> {
    const { store } = (await this.open()).transaction('plans');
    const [ids, plans] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return new Map(plans.map((plan, index) => [ids[index] ?? '', plan]));
  }

  /** Model id → when it was last used, Unix milliseconds. */
  async uses(): Promise<Map<string, number>> {
    const { store } = (await this.open()).transaction('uses');
    const [ids, times] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return new Map(times.map((time, index) => [ids[index] ?? '', time]));
  }
}

function rank(entry: CatalogEntry): number {
  if (!isEmbedded(entry)) return Number.MAX_SAFE_INTEGER;
  const positions = entry.variants.map(({ source }) =>
    source.kind === 'pack' ? source.position : Number.MAX_SAFE_INTEGER,
  );
  return Math.min(...positions);
}
