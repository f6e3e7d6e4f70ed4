import type { GenerateJob } from '../../core/operations/jobs.ts';
import { memoryBytes } from '../scheduling/memory-budget.ts';
import type { ModelMemory } from '../scheduling/model-memory.ts';
import type { LoadLog } from '../device/load-log.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import type { Receiver } from '../download/transfer/receiver.ts';
import type { TextBackend, TextReceiver } from '../conversation/text-backend.ts';

interface Parts {
  backend: TextBackend;
  memory: Pick<ModelMemory, 'reserve'>;
  loads: Pick<LoadLog, 'check'>;
}

interface Arrival {
  /** The job that waits for it. */
  job: object;
  receiver: TextReceiver;
  /** Ends the reservation of its memory. */
  release: () => void;
}

/** Models that are put into memory while they are downloaded, if there is room without unloading others. */
export class Arrivals {
  readonly #parts: Parts;
  readonly #arrivals = new Map<string, Arrival>();
  /** The first job that waits for each model's answer. */
  readonly #expected = new Map<string, GenerateJob>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A job will want an answer of its model, which may be arriving: the first one is read meanwhile. */
  expect(job: GenerateJob): void {
    if (this.#expected.has(job.model)) return;
    this.#expected.set(job.model, job);
    this.#arrivals.get(job.model)?.receiver.expect(job);
  }

  /**
   * @param job - waits for the model
   * @returns undefined: the model is loaded when its download is complete
   */
  async receive(model: InstalledModel, job: object): Promise<Receiver | undefined> {
    const { backend, memory, loads } = this.#parts;
    const { id } = model.entry;
    // After a load that ended the tab, the next one is to leave its marker first.
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

  /** The model is being loaded now: its memory is counted there. */
  land(id: string): void {
    this.#arrivals.get(id)?.release();
    this.#arrivals.delete(id);
  }

  /** Gives up what arrives for this job, which has ended. If the model is being loaded, this does nothing. */
  drop(id: string, job: object): void {
    if (this.#expected.get(id) === job) this.#expected.delete(id);
    const arrival = this.#arrivals.get(id);
    if (arrival?.job !== job) return;
    arrival.receiver.giveUp();
    this.land(id);
  }
}
