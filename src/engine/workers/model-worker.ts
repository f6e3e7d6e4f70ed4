import { EngineClient } from '../../core/port/engine-client.ts';
import type { Engine, Take } from '../../core/port/engine.ts';
import { ApiError, EngineLost, serverError } from '../../core/errors/errors.ts';
import type { EventOf } from '../../core/operations/events/events.ts';
import type { JobOf, Operation } from '../../core/operations/jobs/jobs.ts';
import { workerName, type EngineConfig, type ToEngineWorker } from '../../core/realms/messages.ts';
import type { ChildWorker, StartWorker } from './page-worker.ts';

/** A worker that holds one model. It can be ended at any time. */
export interface ModelWorker<Ops extends Operation> extends Engine<Ops> {
  end(): void;
}

/**
 * A dedicated worker that answers jobs (`serve-worker.ts`). WebAssembly computes for seconds without a break and blocks
 * its thread meanwhile, so no model shares a worker with the engine.
 */
export class JobWorker extends EngineClient implements ModelWorker<Operation> {
  readonly #task: string;
  readonly #worker: ChildWorker;

  /**
   * @param task - as of `workerName`
   * @param script - its name in the site's folder
   */
  constructor(task: string, script: string, config: EngineConfig, start: StartWorker) {
    const { port1, port2 } = new MessageChannel();
    super(port1);
    this.#task = task;
    this.#worker = start(new URL(script, config.base), workerName(task));
    this.#worker.addEventListener('error', ({ message, error }) =>
      error instanceof ApiError ? this.close(error) : this.#fail(`failed: ${message}`),
    );
    this.#post({ type: 'slashv1:configure', config });
    this.#post({ type: 'slashv1:attach' }, port2);
  }

  override async run<Op extends Operation>(
    job: JobOf<Op>,
    signal: AbortSignal,
    take: Take<EventOf<Op>>,
  ): Promise<void> {
    try {
      await super.run(job, signal, take);
    } catch (error) {
      if (!(error instanceof EngineLost)) throw error;
      const message = `The browser has ended the ${this.#task} worker.`;
      throw serverError('engine_error', message);
    }
  }

  end(): void {
    this.#worker.terminate();
    this.#fail('was ended');
  }

  #fail(why: string): void {
    this.close(serverError('engine_error', `The ${this.#task} worker ${why}.`));
  }

  #post(message: ToEngineWorker, ...ports: MessagePort[]): void {
    this.#worker.port.postMessage(message, ports);
  }
}
