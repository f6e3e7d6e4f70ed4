import { EngineClient } from '../../core/port/engine-client.ts';
import type { RunJob } from '../../core/port/engine.ts';
import { EngineLost, serverError } from '../../core/errors/errors.ts';
import type { EventOf } from '../../core/operations/events.ts';
import type { JobOf, Operation } from '../../core/operations/jobs.ts';
import type { EngineConfig, ToEngineWorker } from '../../core/realms/messages.ts';
import type { ChildWorker, StartWorker } from './page-worker.ts';

/** A worker that holds one model. It can be ended at any time. */
export interface ModelWorker<Ops extends Operation> {
  perform: RunJob<Ops>;
  end(): void;
}

/**
 * A dedicated worker that answers jobs (`serve-worker.ts`). WebAssembly computes for seconds without a break and blocks
 * its thread meanwhile, so no model shares a worker with the engine.
 */
export class JobWorker<Ops extends Operation> implements ModelWorker<Ops> {
  readonly #task: string;
  readonly #worker: ChildWorker;
  readonly #client: EngineClient;

  /**
   * @param task - for people, e.g. `speech`
   * @param script - its name in the site's folder
   */
  constructor(task: string, script: string, config: EngineConfig, start: StartWorker) {
    this.#task = task;
    this.#worker = start(new URL(script, config.base), `slashv1 ${task}`);
    const { port1, port2 } = new MessageChannel();
    this.#client = new EngineClient(port1);
    this.#worker.addEventListener('error', ({ message }) => this.#close(`failed: ${message}`));
    this.#post({ type: 'slashv1:configure', config });
    this.#post({ type: 'slashv1:attach' }, port2);
  }

  async perform<Op extends Ops>(
    job: JobOf<Op>,
    signal: AbortSignal,
    emit: (event: EventOf<Op>) => void,
  ): Promise<void> {
    try {
      await this.#client.perform(job, signal, emit);
    } catch (error) {
      if (!(error instanceof EngineLost)) throw error;
      const message = `The browser has ended the ${this.#task} worker.`;
      throw serverError('engine_error', message);
    }
  }

  end(): void {
    this.#worker.terminate();
    this.#close('was ended');
  }

  #close(why: string): void {
    this.#client.close(serverError('engine_error', `The ${this.#task} worker ${why}.`));
  }

  #post(message: ToEngineWorker, ...ports: MessagePort[]): void {
    this.#worker.postMessage(message, ports);
  }
}
