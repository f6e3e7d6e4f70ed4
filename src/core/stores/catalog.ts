import { isEmbedded, type CatalogEntry, type Installation } from './catalog-entry.ts';
import type { Database } from './database.ts';

/** The models that this deployment knows, in IndexedDB; its own packs come first, as it lists them. */
export class CatalogReader {
  protected readonly open: () => Promise<Database>;

  constructor(open: () => Promise<Database>) {
    this.open = open;
  }

  async get(id: string): Promise<CatalogEntry | undefined> {
    return (await this.open()).get('catalog', id);
  }

  async list(): Promise<CatalogEntry[]> {
    const entries = await (await this.open()).getAll('catalog');
    const rank = (entry: CatalogEntry) =>
      entry.source.kind === 'pack' && isEmbedded(entry)
        ? entry.source.position
        : Number.MAX_SAFE_INTEGER;
    return entries.sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id));
  }

  /** What is to be downloaded of a model, while that is begun and not done. */
  async plan(id: string): Promise<Installation | undefined> {
    return (await this.open()).get('downloads', id);
  }

  /** The plans of all models whose download is begun and not done. */
  async plans(): Promise<Map<string, Installation>> {
    const { store } = (await this.open()).transaction('downloads');
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
