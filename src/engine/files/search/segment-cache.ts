import { beginning, type FilesDatabase, type Segment } from '../files-database.ts';

/** How many vector stores stay in memory. One of 100,000 chunks takes about 100 MB. */
const MOST_STORES = 2;

/** The segments of the vector stores that were searched last. */
export class SegmentCache {
  readonly #open: () => Promise<FilesDatabase>;
  /** By store, the one that was used last at the end; then by file. */
  readonly #stores = new Map<string, Map<string, { createdAt: number; segment: Segment }>>();

  constructor(open: () => Promise<FilesDatabase>) {
    this.#open = open;
  }

  /** The segments of a store's indexed files. Only those that are new since the last search are read. */
  async of(store: string): Promise<Map<string, Segment>> {
    const db = await this.#open();
    const members = await db.getAllFromIndex('members', 'store', beginning(store));
    const known = this.#stores.get(store);
    const current = new Map<string, { createdAt: number; segment: Segment }>();
    for (const { file, status, createdAt } of members) {
      if (status !== 'completed') continue;
      const old = known?.get(file);
      // A file that was removed and added again has another time.
      const segment =
        old?.createdAt === createdAt ? old.segment : await db.get('segments', [store, file]);
      if (segment) current.set(file, { createdAt, segment });
    }
    this.#stores.delete(store);
    this.#stores.set(store, current);
    for (const oldest of [...this.#stores.keys()].slice(0, -MOST_STORES)) {
      this.#stores.delete(oldest);
    }
    return new Map([...current].map(([file, { segment }]) => [file, segment]));
  }
}
