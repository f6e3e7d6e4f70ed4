import type { GenerateJob } from '../../core/operations/jobs/jobs.ts';
import { memoryBytes } from '../scheduling/memory-budget.ts';
import type { ModelMemory } from '../scheduling/model-memory.ts';
import type { LoadLog } from '../device/load-log.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import type { Receiver } from '../download/transfer/receiver.ts';
import type { TextBackend, TextReceiver } from '../conversation/text-backend.ts';

interface ArrivalServices {
  backend: TextBackend;
  memory: Pick<ModelMemory, 'reserve'>;
  loads: Pick<LoadLog, 'check'>;
}

interface Arrival {
  /** The job that waits for the model. */
  job: object;
  receiver: TextReceiver;
  /** Ends the reservation of its memory. */
  release: () => void;
}

/** Loads models while they are downloaded, if memory has room without unloading others. */
export class Arrivals {
  readonly #parts: ArrivalServices;
  readonly #arrivals = new Map<string, Arrival>();
  /** The first job that waits for each model's answer. */
  readonly #expected = new Map<string, GenerateJob>();

  constructor(parts: ArrivalServices) {
    this.#parts = parts;
  }

  /** Announces a job for a model that may be arriving. The first such job's prompt may be read meanwhile. */
  expect(job: GenerateJob): void {
    if (this.#expected.has(job.model)) return;
    this.#expected.set(job.model, job);
    this.#arrivals.get(job.model)?.receiver.expect(job);
  }

  /**
   * @param job - the job that waits for the model
   * @returns what receives the bytes; undefined: the model is loaded when its download is complete
   */
  async receive(model: InstalledModel, job: object): Promise<Receiver | undefined> {
    const { backend, memory, loads } = this.#parts;
    const { id } = model.entry;
    // If a load has ended the tab, the next one must first leave its marker, so this one does not start early.
    const isSafe = await loads.check(model, { automatic: true }).then(
      () => true,
      () => false,
    );
    const release = isSafe ? await memory.reserve(memoryBytes(model)) : undefined;
    if (!release) return undefined;
    const receiver = backend.receive?.(model);
    if (!receiver) {
      release();
      return undefined;
    }
    this.#arrivals.set(id, { job, receiver, release });
    const expected = this.#expected.get(id);
    if (expected) receiver.expect(expected);
    return {
      take: (path, pieces) => receiver.take(path, pieces),
      giveUp: () => this.drop(id, job),
    };
  }

  /** Ends the reservation of a model that is being loaded now: the load counts its memory. */
  land(id: string): void {
    this.#arrivals.get(id)?.release();
    this.#arrivals.delete(id);
  }

  /** Gives up the model that arrives for this job, which has ended. Does nothing if the model is being loaded. */
  drop(id: string, job: object): void {
    if (this.#expected.get(id) === job) this.#expected.delete(id);
    const arrival = this.#arrivals.get(id);
    if (arrival?.job !== job) return;
    arrival.receiver.giveUp();
    this.land(id);
  }
}
