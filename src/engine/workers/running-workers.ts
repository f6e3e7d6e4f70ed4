import { inTime } from '../../core/async/in-time.ts';
import { serverError, toErrorData } from '../../core/errors/errors.ts';
import type { EngineClient } from '../../core/port/engine-client.ts';
import type { Operation } from '../../core/operations/jobs/jobs.ts';
import { onlyEvent } from '../../core/port/engine.ts';
import type { ComputeDevice } from '../../core/realms/device-report.ts';
import type { LoadLog } from '../device/load-log.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import { LOAD_TIMEOUT_MS, watchOutput, watchProgress } from '../scheduling/watchdog.ts';
import type { ModelWorker } from './model-worker.ts';

/** An idle worker is replaced if its memory has grown by more than both limits: bytes, and a part of its size. */
const LEAST_GROWTH = 32 * 1024 ** 2;
const GROWTH = 0.25;

/** How long a worker may take to finish its work with the database before it is ended, milliseconds. */
const CLOSE_MS = 1_000;

/** The operations of every worker, whatever its task. */
type PoolOperation = 'open' | 'close' | 'heap';

/** A worker that tells when it has started, and whose end is told, however it comes: one with WebCodecs ends with its page. */
type EndingWorker<Ops extends Operation> = ModelWorker<Ops | PoolOperation> &
  Pick<EngineClient, 'gone' | 'ready'>;

/** @typeParam Ops - the operations of the workers' task */
export interface WorkerParts<Ops extends Operation> {
  loads: Pick<LoadLog, 'noteUnusable'>;
  /** Chooses the device that a model runs on, unless it has failed there. */
  device: (model: InstalledModel) => Promise<ComputeDevice>;
  /** Starts a worker for a model, which is not loaded yet. */
  start: (device: ComputeDevice, model: InstalledModel) => EndingWorker<Ops>;
}

export interface RunningWorker<Ops extends Operation> {
  worker: ModelWorker<Ops | PoolOperation>;
  installed: InstalledModel;
  device: ComputeDevice;
  /** Size of its WebAssembly memory after its first work; undefined: it has done none. */
  heapBytes?: number;
}

/** The worker of each loaded model, and which models failed on the GPU. */
export class RunningWorkers<Ops extends Operation> {
  readonly #parts: WorkerParts<Ops>;
  /** Workers by their model's id. */
  readonly #workers = new Map<string, RunningWorker<Ops>>();
  /** Models that failed on the GPU. No browser says in advance whether its driver can run a graph. */
  readonly #notOnGpu = new Set<string>();

  readonly #onGone: (model: string) => void;

  /** @param onGone - called when a model's worker has ended by itself */
  constructor(parts: WorkerParts<Ops>, onGone: (model: string) => void) {
    this.#parts = parts;
    this.#onGone = onGone;
  }

  get(model: string): RunningWorker<Ops> | undefined {
    return this.#workers.get(model);
  }

  /** The worker of a model that is held in memory. */
  held(model: string): RunningWorker<Ops> {
    const running = this.#workers.get(model);
    if (!running) throw new Error(`The model '${model}' is held but not loaded.`);
    return running;
  }

  failedOnGpu(model: string): boolean {
    return this.#notOnGpu.has(model);
  }

  /**
   * Starts a worker that loads the model. A model that fails on the GPU is loaded on the CPU. A worker that does not
   * start, or stops loading, gets one successor: browsers were seen to do both without an error.
   */
  async load(installed: InstalledModel): Promise<void> {
    const { id } = installed.entry;
    const device = this.#notOnGpu.has(id) ? 'wasm' : await this.#parts.device(installed);
    try {
      await this.#begin(installed, device);
    } catch (error) {
      if (device === 'wasm' && toErrorData(error).code !== 'timeout') throw error;
      // Retried here, so that no other model is unloaded because the GPU is short of memory.
      await this.#begin(installed, 'wasm');
    }
  }

  /** Notes the size of a worker's memory after its first work: what the model needs. */
  async noteHeap(running: RunningWorker<Ops>): Promise<void> {
    if (running.heapBytes !== undefined) return;
    const bytes = await heapOf(running.worker);
    running.heapBytes ??= bytes;
  }

  /** Whether the memory of a model's worker has grown far beyond what the model needs. */
  async hasGrown(model: string): Promise<boolean> {
    const running = this.#workers.get(model);
    if (running?.heapBytes === undefined) return false;
    const grownBy = (await heapOf(running.worker)) - running.heapBytes;
    return grownBy > Math.max(LEAST_GROWTH, running.heapBytes * GROWTH);
  }

  /**
   * Ends a worker that has no work any more. What it is doing with the database is finished first: after the sudden end of
   * a worker with an open transaction, WebKit's database may hang.
   */
  async close(model: string): Promise<void> {
    const worker = this.#workers.get(model)?.worker;
    if (!worker) return;
    const { signal } = new AbortController();
    const closing = worker.run<'close'>({ op: 'close' }, signal, () => undefined);
    const late = () => new Error('The worker does not answer.');
    // A worker that hangs is ended all the same.
    await inTime(closing, CLOSE_MS, late).catch(() => undefined);
    if (this.#workers.get(model)?.worker === worker) this.end(model);
  }

  end(model: string): void {
    this.#workers.get(model)?.worker.end();
    this.#workers.delete(model);
  }

  /** Ends a worker after a failure. The model's next worker computes on the CPU, if that may help. */
  async endFailed(model: string, error: unknown): Promise<void> {
    const running = this.#workers.get(model);
    this.end(model);
    if (!running) return;
    const { installed, device } = running;
    if (device === 'webgpu') this.#notOnGpu.add(model);
    // The model ran on the CPU because it had failed on the GPU. Another variant may run on the GPU.
    else if (installed.variant.needs.shaderF16 && this.#notOnGpu.delete(model)) {
      await this.#parts.loads.noteUnusable(installed, error);
    }
  }

  async #begin(installed: InstalledModel, device: ComputeDevice): Promise<void> {
    const { id } = installed.entry;
    const worker = this.#parts.start(device, installed);
    this.#workers.set(id, { worker, installed, device });
    void worker.gone.then(() => {
      if (this.#workers.get(id)?.worker === worker) this.#onGone(id);
    });
    // The load is finished even if the request that asked for it is cancelled.
    const { signal } = new AbortController();
    const noEvent = () => undefined;
    try {
      const job = { op: 'open', ...installed } as const;
      await inTime(worker.ready, LOAD_TIMEOUT_MS, () => notStarted(id));
      await watchProgress(
        () => 'loading',
        () => worker.run<'open'>(job, signal, noEvent),
      );
    } catch (error) {
      await this.endFailed(id, error);
      throw error;
    }
  }
}

function notStarted(model: string): Error {
  const seconds = LOAD_TIMEOUT_MS / 1000;
  return serverError(
    'timeout',
    `The worker of the model '${model}' did not start in ${seconds} seconds.`,
  );
}

/** Size of WebAssembly's memory in a worker, bytes. */
async function heapOf(worker: ModelWorker<'heap'>): Promise<number> {
  const { signal } = new AbortController();
  const { bytes } = await watchOutput(() => onlyEvent(worker, { op: 'heap' }, signal));
  return bytes;
}
