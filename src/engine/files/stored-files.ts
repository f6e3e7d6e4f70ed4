import { FileStore } from './file-store.ts';
import type { FilesDatabase } from './files-database.ts';
import { Indexer } from './indexing/indexer.ts';
import { recount } from './in-removal.ts';
import type { ReadPdf } from './reading/pdf/pdf-reader.ts';
import { RetrievalModels, type RetrievalEngine } from './retrieval-models.ts';
import { ChunkFinder } from './search/chunk-finder.ts';
import { StoreMembers } from './store-members.ts';
import { VectorStores } from './vector-stores.ts';

export interface StoredFilesParts {
  open: () => Promise<FilesDatabase>;
  /** Bytes that the browser gives this site; undefined: it does not say. */
  quota: () => Promise<number | undefined>;
  /** The known models, as in ChunkFinder. */
  catalog: ConstructorParameters<typeof ChunkFinder>[0]['catalog'];
  /** Computes with models for searches. */
  engine: RetrievalEngine;
  /** Computes with models for indexes; its jobs do not count as requests. */
  indexing: RetrievalEngine;
  readPdf: ReadPdf;
  /** Resolves when no request is being answered. */
  idle: () => Promise<void>;
  /** Name of the Web Lock, as in Indexer. */
  lock: string;
  /** Unix milliseconds. */
  now?: () => number;
}

/** Everything about stored files: the files, vector stores with their index, and searches. */
export class StoredFiles {
  readonly files: FileStore;
  readonly stores: VectorStores;
  readonly members: StoreMembers;
  readonly indexer: Indexer;
  readonly finder: ChunkFinder;
  readonly #open: () => Promise<FilesDatabase>;

  constructor(parts: StoredFilesParts) {
    const { open, quota, catalog, engine, indexing, readPdf, idle, lock, now = Date.now } = parts;
    const models = new RetrievalModels(engine);
    this.#open = open;
    const wake = () => this.indexer.wake();
    const indexers = new RetrievalModels(indexing);
    this.indexer = new Indexer({ open, models: indexers, readPdf, quota, idle, lock });
    this.files = new FileStore({ open, quota, now });
    this.stores = new VectorStores({ open, wake, now });
    this.members = new StoreMembers(this.stores, { open, wake, now });
    this.finder = new ChunkFinder({ open, stores: this.stores, models, catalog });
  }

  /** Deletes what has expired, and what belongs to keys that exist no longer; counts what is left. @param keys - ids of all keys */
  async sweep(keys: ReadonlySet<string>): Promise<void> {
    const hasOwner = (owner: string) => owner === 'site' || keys.has(owner);
    await this.files.sweep(hasOwner);
    await this.stores.sweep(hasOwner);
    await recount(this.#open);
  }
}
