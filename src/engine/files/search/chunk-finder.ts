import { warn } from '../../../core/errors/warn.ts';
import { unsupportedValue } from '../../../core/errors/errors.ts';
import { isInstalled, type CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type { JobOf } from '../../../core/operations/jobs/jobs.ts';
import type { ChunksEvent, FoundChunk, Ranking } from '../../../core/operations/jobs/store-jobs.ts';
import { passes } from '../../../core/retrieval/filters.ts';
import { rankChunks } from '../../../core/retrieval/rank-chunks.ts';
import type { FilesDatabase, StoredStore } from '../files-database.ts';
import { INDEXING, type Reading, type RetrievalModels } from '../retrieval-models.ts';
import type { VectorStores } from '../vector-stores.ts';
import { SegmentCache } from './segment-cache.ts';

interface FinderParts {
  open: () => Promise<FilesDatabase>;
  stores: Pick<VectorStores, 'alive' | 'touch'>;
  models: Pick<RetrievalModels, 'queryVector' | 'scores'>;
  catalog: { list(): Promise<CatalogEntry[]>; get(id: string): Promise<CatalogEntry | undefined> };
}

/** A chunk that was found, and where its text is. */
interface Candidate {
  store: string;
  file: string;
  chunk: number;
  score: number;
}

/** Finds the chunks of vector stores that fit queries. */
export class ChunkFinder {
  readonly #parts: FinderParts;
  readonly #segments: SegmentCache;

  constructor(parts: FinderParts) {
    this.#parts = parts;
    this.#segments = new SegmentCache(parts.open);
  }

  /** @throws ApiError 404 for an unknown store, 400 for one that has expired or whose embedder is gone */
  async find(job: JobOf<'find-chunks'>, signal: AbortSignal): Promise<ChunksEvent> {
    const { owner, queries, most, ranking, client = INDEXING } = job;
    const reading: Reading = { client, tokens: 0 };
    const stores = [];
    for (const id of job.stores) stores.push(await this.#parts.stores.alive(owner, id));
    const found = new Map<string, FoundChunk>();
    for (const query of queries) {
      const proposed: Candidate[] = [];
      for (const store of stores)
        proposed.push(...(await this.#proposed(store, query, job, signal, reading)));
      const chunks = await this.#described(proposed.toSorted((a, b) => b.score - a.score));
      for (const [key, each] of await this.#reranked(chunks, query, job, signal, reading)) {
        // Several queries give one list, with the best score of each chunk.
        if (each.score > (found.get(key)?.score ?? -1)) found.set(key, each);
      }
    }
    // A full disk does not keep a store from being searched.
    for (const { id } of stores) await this.#parts.stores.touch(id).catch(warn);
    const chunks = [...found.values()]
      .filter(({ score }) => score >= ranking.threshold)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, most);
    return { type: 'find-chunks', chunks, tokens: reading.tokens };
  }

  async #proposed(
    store: StoredStore,
    query: string,
    { filter, ranking }: JobOf<'find-chunks'>,
    signal: AbortSignal,
    reading: Reading,
  ): Promise<Candidate[]> {
    const { id, embedder } = store;
    const model = embedder === null ? undefined : await this.#installed(embedder, id);
    const vector =
      model === undefined
        ? undefined
        : await this.#parts.models.queryVector(model, query, signal, reading);
    const files = [...(await this.#segments.of(store))];
    const allowed = files.map(([, { attributes }]) => !filter || passes(attributes, filter));
    const ranked = rankChunks(
      files.map(([, { segment }]) => segment),
      (at) => allowed[at] ?? false,
      { text: query, vector },
      { vector: ranking.vectorWeight, word: ranking.wordWeight },
    );
    return ranked.map(({ file, chunk, score }) => ({
      store: id,
      file: files[file]?.[0] ?? '',
      chunk,
      score,
    }));
  }

  async #installed(embedder: string, store: string): Promise<string> {
    const entry = await this.#parts.catalog.get(embedder);
    if (entry && isInstalled(entry)) return embedder;
    const why = `its vectors are of the model '${embedder}', which is no longer installed`;
    throw unsupportedValue(
      `The vector store '${store}' cannot be searched: ${why}.`,
      'embedding_model',
    );
  }

  /** The chunks with their texts and files. Those that were deleted meanwhile are left out. */
  async #described(candidates: readonly Candidate[]): Promise<Map<string, FoundChunk>> {
    const transaction = (await this.#parts.open()).transaction(['chunks', 'members', 'files']);
    const read = (store: string, file: string) =>
      Promise.all([
        transaction.objectStore('chunks').get([store, file]),
        transaction.objectStore('members').get([store, file]),
        transaction.objectStore('files').get(file),
      ]);
    // Many candidates may be of one file, whose texts are read together.
    const files = new Map<string, ReturnType<typeof read>>();
    const described = new Map<string, FoundChunk>();
    for (const { store, file, chunk, score } of candidates) {
      const key = `${store} ${file}`;
      const reading = files.get(key) ?? read(store, file);
      files.set(key, reading);
      const [texts, member, facts] = await reading;
      const text = texts?.[chunk];
      if (text === undefined || !member || !facts) continue;
      const { attributes } = member;
      const { filename } = facts;
      described.set(`${key} ${chunk}`, { file, filename, score, attributes, text });
    }
    return described;
  }

  async #reranked(
    chunks: Map<string, FoundChunk>,
    query: string,
    { ranking }: JobOf<'find-chunks'>,
    signal: AbortSignal,
    reading: Reading,
  ): Promise<Map<string, FoundChunk>> {
    const reranker = await this.#reranker(ranking);
    if (reranker === undefined || chunks.size === 0) return chunks;
    const texts = [...chunks.values()].map(({ text }) => text);
    const scores = await this.#parts.models.scores(reranker, query, texts, signal, reading);
    if (!scores) return chunks;
    return new Map(
      [...chunks].map(([key, each], at) => [key, { ...each, score: scores[at] ?? 0 }]),
    );
  }

  async #reranker({ reranks, reranker }: Ranking): Promise<string | undefined> {
    if (!reranks) return undefined;
    const all = await this.#parts.catalog.list();
    return all.find(
      (entry) =>
        entry.task === 'rerank' && isInstalled(entry) && (reranker ?? entry.id) === entry.id,
    )?.id;
  }
}
