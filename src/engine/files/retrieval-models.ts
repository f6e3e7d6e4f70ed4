import { ApiError } from '../../core/errors/errors.ts';
import type { Engine } from '../../core/port/engine.ts';
import type { TextRole } from '../../core/operations/jobs.ts';
import type { ChunkSize } from '../../core/retrieval/divide-text.ts';
import type { DividedChunk } from '../../core/operations/events.ts';

/** Names the work on stored files among the clients of a model. */
const CLIENT = 'slashv1:files';

/** What stored files need of models: chunks, vectors and scores. */
export class RetrievalModels {
  readonly #engine: Engine<'embed' | 'rerank' | 'divide'>;
  /** Models whose configuration names no prompt for a role. */
  readonly #plain = new Set<string>();

  /** @param engine - its jobs do not count as requests */
  constructor(engine: Engine<'embed' | 'rerank' | 'divide'>) {
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
    const job = { op: 'divide', model, text, client: CLIENT, automatic: true } as const;
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
    client = CLIENT,
  ): Promise<Float32Array[]> {
    const isPlain = this.#plain.has(`${model} ${role}`);
    const vectors: Float32Array[] = [];
    try {
      await this.#engine.run<'embed'>(
        { op: 'embed', model, texts, client, ...(!isPlain && { role }) },
        signal,
        (event) => {
          if (event.type !== 'vectors') return;
          const length = event.values.length / event.places.length;
          for (const [at, place] of event.places.entries()) {
            vectors[place] = event.values.slice(at * length, (at + 1) * length);
          }
        },
      );
    } catch (error) {
      if (isPlain || !(error instanceof ApiError) || error.data.fault?.part !== 'role') throw error;
      this.#plain.add(`${model} ${role}`);
      return this.vectors(model, texts, role, signal, client);
    }
    return vectors;
  }

  /** How well each document fits the query, 0 to 1. */
  async scores(
    model: string,
    query: string,
    documents: string[],
    signal: AbortSignal,
    client = CLIENT,
  ): Promise<number[]> {
    const scores: number[] = [];
    const job = { op: 'rerank', model, query, documents, client } as const;
    await this.#engine.run<'rerank'>(job, signal, (event) => {
      if (event.type !== 'scores') return;
      for (const [at, place] of event.places.entries()) scores[place] = event.scores[at] ?? 0;
    });
    return scores;
  }
}
