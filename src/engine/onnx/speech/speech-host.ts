import { engineOf, withoutEvents, type Engine } from '../../../core/port/engine.ts';
import type { EventOf } from '../../../core/operations/events.ts';
import type { JobOf } from '../../../core/operations/jobs.ts';
import { WorkerPool, type PoolParts } from '../../workers/worker-pool.ts';
import type { SpeechOperation } from './speech-engine.ts';

/** What the engine worker does with speech models. */
export type SpeechModelOperation = 'speak' | 'load' | 'unload';

/** The jobs of speech models in the engine worker. Each model speaks in a worker of its own. */
export class SpeechHost implements Engine<SpeechModelOperation> {
  readonly #pool: WorkerPool<SpeechOperation>;
  readonly #engine = engineOf<SpeechModelOperation>({
    speak: (job, signal) => this.#pool.run(job, signal, (worker) => worker.run(job, signal)),
    load: (job, signal) => withoutEvents(() => this.#pool.load(job, signal)),
    unload: (job, signal) => withoutEvents(() => this.#pool.unload(job.model, signal)),
  });

  constructor(parts: PoolParts<SpeechOperation>) {
    this.#pool = new WorkerPool(parts);
  }

  /** Whether a model is in memory. */
  has(model: string): boolean {
    return this.#pool.has(model);
  }

  run<Op extends SpeechModelOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
  ): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }
}
