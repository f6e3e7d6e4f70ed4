import type { Attributes } from '../../../core/retrieval/filters.ts';
import {
  beginning,
  type FilesDatabase,
  type Segment,
  type StoredStore,
} from '../files-database.ts';

/** How many vector stores stay in memory. One of 100,000 chunks takes about 100 MB. */
const MOST_STORES = 2;

/** What searches read of a file. */
interface SearchedFile {
  createdAt: number;
  attributes: Attributes;
  segment: Segment;
}

interface KeptStore {
  revision: number;
  files: ReadonlyMap<string, SearchedFile>;
}

/** The indexed files of the vector stores that were searched last. */
export class SegmentCache {
  readonly #open: () => Promise<FilesDatabase>;
  /** By store, the one that was used last at the end. */
  readonly #stores = new Map<string, KeptStore>();

  constructor(open: () => Promise<FilesDatabase>) {
    this.#open = open;
  }

  /** The indexed files of a store by id. Nothing is read unless the store has changed since the last search. */
  async of({ id, revision }: StoredStore): Promise<ReadonlyMap<string, SearchedFile>> {
    const known = this.#stores.get(id);
    const current =
      known?.revision === revision
        ? known
        : { revision, files: await this.#read(id, known?.files) };
    this.#stores.delete(id);
    this.#stores.set(id, current);
    for (const oldest of [...this.#stores.keys()].slice(0, -MOST_STORES)) {
      this.#stores.delete(oldest);
    }
    return current.files;
  }

  /** @param known - the files of an earlier revision, which are not read again */
  async #read(
    store: string,
    known: ReadonlyMap<string, SearchedFile> | undefined,
  ): Promise<ReadonlyMap<string, SearchedFile>> {
    const transaction = (await this.#open()).transaction(['members', 'segments']);
    const segments = transaction.objectStore('segments');
    const members = await transaction.objectStore('members').getAll(beginning(store));
    const files = new Map<string, SearchedFile>();
    const reading = members.map(async ({ file, status, createdAt, attributes }) => {
      if (status !== 'completed') return;
      const old = known?.get(file);
      // A file that was removed and added again has another time.
      const segment =
        old?.createdAt === createdAt ? old.segment : await segments.get([store, file]);
      if (segment) files.set(file, { createdAt, attributes, segment });
    });
    await Promise.all(reading);
    return files;
  }
}
