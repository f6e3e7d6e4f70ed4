import { engineOf, withoutEvents, type Engine } from '../../core/port/engine.ts';
import type { EmbedEvent, EventOf, RerankEvent } from '../../core/operations/events.ts';
import type { JobOf } from '../../core/operations/jobs.ts';
import { whenThereIsPlace } from '../workers/when-there-is-place.ts';
import { WorkerPool, type PoolParts } from '../workers/worker-pool.ts';
import type { RetrievalOperation } from './retrieval-engine.ts';
import { TextSlices, type TextSlice } from './text-slices.ts';

/** What the engine worker does with embedders and rankers. */
export type RetrievalModelOperation = 'embed' | 'rerank' | 'load' | 'unload';

/**
 * The jobs of embedders and rankers in the engine worker. Each model computes in a worker of its own. A job
 * with many texts takes a turn for each slice of them, so that it holds up nobody for long.
 */
export class RetrievalHost implements Engine<RetrievalModelOperation> {
  readonly #pool: WorkerPool<RetrievalOperation>;
  readonly #engine = engineOf<RetrievalModelOperation>({
    embed: (job, signal) => this.#embed(job, signal),
    rerank: (job, signal) => this.#rerank(job, signal),
    load: (job, signal) => withoutEvents(() => this.#pool.load(job, signal)),
    unload: (job, signal) => withoutEvents(() => this.#pool.unload(job.model, signal)),
  });

  constructor(parts: PoolParts<RetrievalOperation>) {
    this.#pool = new WorkerPool(parts);
  }

  /** Whether a model is in memory. */
  has(model: string): boolean {
    return this.#pool.has(model);
  }

  run<Op extends RetrievalModelOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
  ): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }

  async *#embed(
    job: JobOf<'embed'>,
    signal: AbortSignal,
  ): AsyncGenerator<EmbedEvent, void, undefined> {
    const slices = new TextSlices(job.texts, job.places);
    for await (const event of this.#slices(slices, { ...job, texts: [] }, signal, sliceOfTexts)) {
      if (event.type === 'vectors') yield event;
    }
    yield { type: 'embedded' };
  }

  async *#rerank(
    job: JobOf<'rerank'>,
    signal: AbortSignal,
  ): AsyncGenerator<RerankEvent, void, undefined> {
    const slices = new TextSlices(job.documents, job.places);
    const empty = { ...job, documents: [] };
    for await (const event of this.#slices(slices, empty, signal, sliceOfDocuments)) {
      if (event.type === 'scores') yield event;
    }
    yield { type: 'ranked' };
  }

  async *#slices<Op extends 'embed' | 'rerank'>(
    slices: TextSlices,
    job: JobOf<Op>,
    signal: AbortSignal,
    part: (job: JobOf<Op>, slice: TextSlice) => JobOf<Op>,
  ): AsyncGenerator<EventOf<Op>, void, undefined> {
    let isFirst = true;
    for (let slice = slices.next(); slice; slice = slices.next()) {
      const texts = part(job, slice);
      let begun = 0;
      const next = () =>
        this.#pool.run(job, signal, (worker) => {
          // Not before: the slice may have waited for its turn, or for the model.
          begun = performance.now();
          return worker.run(texts, signal);
        });
      // The first slice has a place in the queue or fails; the others wait for one.
      yield* isFirst ? next() : whenThereIsPlace(next, signal);
      slices.took(performance.now() - begun);
      isFirst = false;
    }
  }
}

function sliceOfTexts(job: JobOf<'embed'>, { texts, places }: TextSlice): JobOf<'embed'> {
  return { ...job, texts, places };
}

function sliceOfDocuments(job: JobOf<'rerank'>, { texts, places }: TextSlice): JobOf<'rerank'> {
  return { ...job, documents: texts, places };
}
