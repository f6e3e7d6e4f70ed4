import { ApiError } from '../../core/errors/errors.ts';
import type { Engine } from '../../core/port/engine.ts';
import type { TextRole } from '../../core/operations/jobs/jobs.ts';
import type { ChunkSize } from '../../core/retrieval/divide-text.ts';
import type { DividedChunk } from '../../core/operations/events/events.ts';
import { cutAndNormalised } from '../retrieval/pooling.ts';

/** A client that models read for, and the tokens that they have read for it. */
export interface Reading {
  client: string;
  tokens: number;
}

/** Names the indexing of files among the clients of a model. */
export const INDEXING = 'slashv1:files';

/** Pieces of a query that are read: a longer one is about too much. */
const MOST_PIECES = 8;

export type RetrievalEngine = Engine<'embed' | 'rerank' | 'divide'>;

/** What stored files need of models: chunks, vectors and scores. */
export class RetrievalModels {
  readonly #engine: RetrievalEngine;
  /** Models whose configuration names no prompt for a role. */
  readonly #plain = new Set<string>();

  constructor(engine: RetrievalEngine) {
    this.#engine = engine;
  }

  /** @param size - undefined: as suits the model */
  async divide(
    model: string,
    text: string,
    size: ChunkSize | undefined,
    signal: AbortSignal,
  ): Promise<{ chunks: DividedChunk[]; size: ChunkSize }> {
    let chunks: DividedChunk[] = [];
    let made: ChunkSize = { maxTokens: 0, overlapTokens: 0 };
    const job = { op: 'divide', model, text, client: INDEXING, automatic: true } as const;
    await this.#engine.run<'divide'>({ ...job, ...(size && { size }) }, signal, (event) => {
      chunks = event.chunks;
      made = event.size;
    });
    return { chunks, size: made };
  }

  /** The vectors of texts, in their order. */
  async vectors(
    model: string,
    texts: string[],
    role: TextRole,
    signal: AbortSignal,
    reading: Reading = { client: INDEXING, tokens: 0 },
  ): Promise<Float32Array[]> {
    const isPlain = this.#plain.has(`${model} ${role}`);
    const { client } = reading;
    const vectors: Float32Array[] = [];
    try {
      await this.#engine.run<'embed'>(
        { op: 'embed', model, texts, client, ...(!isPlain && { role }) },
        signal,
        (event) => {
          if (event.type !== 'vectors') return;
          reading.tokens += event.tokens;
          const length = event.values.length / event.places.length;
          for (const [at, place] of event.places.entries()) {
            vectors[place] = event.values.slice(at * length, (at + 1) * length);
          }
        },
      );
    } catch (error) {
      if (isPlain || partOf(error) !== 'role') throw error;
      this.#plain.add(`${model} ${role}`);
      return this.vectors(model, texts, role, signal, reading);
    }
    return vectors;
  }

  /** The vector of a query; the mean of its pieces' if the model cannot read it in one go. */
  async queryVector(
    model: string,
    query: string,
    signal: AbortSignal,
    reading: Reading,
  ): Promise<Float32Array | undefined> {
    try {
      const [vector] = await this.vectors(model, [query], 'query', signal, reading);
      return vector;
    } catch (error) {
      if (partOf(error) !== 'texts') throw error;
    }
    const { chunks } = await this.divide(model, query, undefined, signal);
    const pieces = chunks.flatMap((chunk) => chunk.pieces).slice(0, MOST_PIECES);
    return mean(await this.vectors(model, pieces, 'query', signal, reading));
  }

  /** How well each document fits the query, 0 to 1; undefined: the model cannot read such a query. */
  async scores(
    model: string,
    query: string,
    documents: string[],
    signal: AbortSignal,
    reading: Reading,
  ): Promise<number[] | undefined> {
    const scores: number[] = [];
    const { client } = reading;
    const job = { op: 'rerank', model, query, documents, client } as const;
    try {
      await this.#engine.run<'rerank'>(job, signal, (event) => {
        if (event.type !== 'scores') return;
        reading.tokens += event.tokens;
        for (const [at, place] of event.places.entries()) scores[place] = event.scores[at] ?? 0;
      });
    } catch (error) {
      if (partOf(error) === 'query') return undefined;
      throw error;
    }
    return scores;
  }
}

/** The part of a job that an error is about. */
function partOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.data.fault?.part : undefined;
}

/** @returns of length 1 */
function mean(vectors: readonly Float32Array[]): Float32Array | undefined {
  const sum = vectors[0]?.map((_, at) => vectors.reduce((all, each) => all + (each[at] ?? 0), 0));
  return sum && cutAndNormalised(sum, sum.length);
}
