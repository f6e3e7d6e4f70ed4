import { withoutEvents, type Runs } from '../../core/port/engine.ts';
import { modelNotFound } from '../../core/errors/errors.ts';
import type { DividedEvent, EmbedEvent, RerankEvent } from '../../core/operations/events/events.ts';
import type { EmbedJob, JobOf, RerankJob } from '../../core/operations/jobs/jobs.ts';
import { newTurn } from '../scheduling/turn.ts';
import { ModelSlot, type SlotParts } from '../workers/model-slot.ts';
import { CrossEncoder } from './cross-encoder.ts';
import { Embedder } from './embedder.ts';
import type { EncodedText } from './encoded-text.ts';
import { tokenBatches } from './token-batches.ts';

/** What a worker with an embedder or a ranker does. */
export type RetrievalOperation = 'embed' | 'rerank' | 'divide' | 'open';

/** A model that such a worker can have. */
export type RetrievalModel = Embedder | CrossEncoder;

/** The engine of such a worker. It has one model in memory, and computes batch by batch. */
export class RetrievalEngine {
  readonly #slot: ModelSlot<RetrievalModel>;
  readonly #turn = newTurn();
  readonly runs: Runs<RetrievalOperation> = {
    embed: (job, signal) => this.#embed(job, signal),
    rerank: (job, signal) => this.#rerank(job, signal),
    divide: (job) => this.#divide(job),
    open: (job) => withoutEvents(() => this.#slot.load(job)),
  };

  constructor(parts: SlotParts<RetrievalModel>) {
    this.#slot = new ModelSlot(parts);
  }

  async *#embed(job: EmbedJob, signal: AbortSignal): AsyncGenerator<EmbedEvent, void, undefined> {
    const { model } = this.#slot;
    if (!(model instanceof Embedder)) throw modelNotFound(job.model, 'It computes no embeddings.');
    const dimensions = model.dimensions(job.dimensions);
    const places = job.places ?? [...job.texts.keys()];
    const texts = job.texts.map((text, index) =>
      model.encode(text, job.role, places[index] ?? index),
    );
    yield { type: 'encoded' };
    for await (const { batch, indexes, tokens } of this.#batches(texts, signal)) {
      const vectors = await model.vectors(batch, dimensions);
      const values = new Float32Array(vectors.length * dimensions);
      for (const [index, vector] of vectors.entries()) values.set(vector, index * dimensions);
      yield { type: 'vectors', places: placesOf(indexes, places), values, tokens };
    }
    yield { type: 'embedded' };
  }

  async *#divide({ model: id, text, size }: JobOf<'divide'>): AsyncGenerator<DividedEvent> {
    const { model } = this.#slot;
    if (!(model instanceof Embedder)) throw modelNotFound(id, 'It computes no embeddings.');
    yield { type: 'divide', ...model.divide(text, size) };
  }

  async *#rerank(
    job: RerankJob,
    signal: AbortSignal,
  ): AsyncGenerator<RerankEvent, void, undefined> {
    const { model } = this.#slot;
    if (!(model instanceof CrossEncoder)) throw modelNotFound(job.model, 'It is no ranker.');
    const pairs = job.documents.map(model.encoder(job.query, job.maxDocumentTokens));
    const places = job.places ?? [...job.documents.keys()];
    yield { type: 'encoded' };
    for await (const { batch, indexes, tokens } of this.#batches(pairs, signal)) {
      const scores = await model.scores(batch);
      yield { type: 'scores', places: placesOf(indexes, places), scores, tokens };
    }
    yield { type: 'ranked' };
  }

  /** WebAssembly computes without a break, so a cancellation can only arrive between two batches. */
  async *#batches(texts: EncodedText[], signal: AbortSignal) {
    for (const indexes of tokenBatches(texts.map(({ ids }) => ids.length))) {
      await this.#turn();
      signal.throwIfAborted();
      const batch = indexes.flatMap((index) => texts[index] ?? []);
      yield { batch, indexes, tokens: batch.reduce((sum, { ids }) => sum + ids.length, 0) };
    }
  }
}

function placesOf(indexes: number[], places: readonly number[]): number[] {
  return indexes.map((index) => places[index] ?? index);
}
