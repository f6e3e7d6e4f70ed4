import type { Job, JobEvent } from '../../../core/protocol/engine.ts';
import { WorkerPool, type PoolParts } from '../worker-pool.ts';

/** A job of a speech model. */
type SpeechJob = Extract<Job, { op: 'speak' | 'load' | 'unload' | 'remove' }>;

/** The jobs of speech models in the engine worker. Each model speaks in a worker of its own. */
export class SpeechHost {
  readonly #pool: WorkerPool;

  constructor(parts: PoolParts) {
    this.#pool = new WorkerPool(parts);
  }

  async *run(job: SpeechJob, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    switch (job.op) {
      case 'speak':
        yield* this.#pool.run(job, signal, (worker) => worker.run(job, signal));
        return;
      case 'load':
        await this.#pool.load(job.model, signal);
        return;
      case 'unload':
        await this.#pool.unload(job.model, signal);
        return;
      case 'remove':
        await this.#pool.remove(job.model, signal);
        return;
    }
  }
}
