import type { LoadLog } from '../device/load-log.ts';
import { toErrorData } from '../../core/errors/errors.ts';
import type { Operation } from '../../core/operations/jobs.ts';
import type { OnnxDevice } from '../../core/realms/onnx-files.ts';
import { memoryBytes } from '../scheduling/memory-budget.ts';
import type { ModelMemory } from '../scheduling/model-memory.ts';
import type { Installer } from '../download/installer/installer.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import type { Loadable } from '../scheduling/resident-model.ts';
import { Turnstile } from '../scheduling/turnstile.ts';
import { watchdog } from '../scheduling/watchdog.ts';
import { IdleTimers } from './idle-timers.ts';
import type { ModelWorker } from './model-worker.ts';

/** An idle worker whose memory has grown by more than both of these is replaced: bytes, and a part of its size. */
const LEAST_GROWTH = 32 * 1024 ** 2;
const GROWTH = 0.25;

/** What each worker does beside its task. */
type PoolOperation = 'open' | 'heap';

/** @typeParam Ops - what the workers do of their task */
export interface PoolParts<Ops extends Operation> {
  installer: Pick<Installer, 'requireModel' | 'touch'>;
  progress: ProgressBoard;
  memory: ModelMemory;
  /** What went wrong with models on this device. */
  loads: Pick<LoadLog, 'check' | 'during' | 'noteUnusable'>;
  /** What a model runs on, unless it has failed there. */
  device: (model: InstalledModel) => Promise<OnnxDevice>;
  /** Starts a worker for a model, which is not loaded yet. */
  start: (device: OnnxDevice, model: InstalledModel) => ModelWorker<Ops | PoolOperation>;
  /** Work without an event for this long has failed, milliseconds; undefined: as for each generation. */
  timeoutMs?: number;
}

/** A request to a model, whatever its task. */
interface ModelRequest {
  model: string;
  /** Whose request it is: turns are fair between clients. */
  client?: string;
  /** Wait for the download of a model that is not installed, rather than fail. */
  autoInstall?: boolean;
  automatic?: boolean;
  anyway?: boolean;
  starting?: boolean;
}

/**
 * What a request does with the worker of its model, which is loaded. `undefined` is a sign of life: the work goes on, and
 * nothing has come of it yet.
 */
type Work<Ops extends Operation, E> = (
  worker: ModelWorker<Ops | PoolOperation>,
) => AsyncIterable<E | undefined>;

interface RunningWorker<Ops extends Operation> {
  worker: ModelWorker<Ops | PoolOperation>;
  installed: InstalledModel;
  device: OnnxDevice;
  /** Size of its WebAssembly memory after its first work; undefined: it has done none. */
  heapBytes?: number;
}

/**
 * Runs models, each in a worker of its own: ending the worker is the only sure way to free its memory. One
 * request at a time. A model that fails on the GPU runs on the CPU from then on; if it fails there, too, and was made for
 * GPUs, the next request gets another variant of it.
 */
export class WorkerPool<Ops extends Operation> {
  readonly #parts: PoolParts<Ops>;
  readonly #turns = new Turnstile();
  /** Workers by their model's id. */
  readonly #workers = new Map<string, RunningWorker<Ops>>();
  /** Models without a request, whose workers will be looked at. */
  readonly #idle = new IdleTimers((model) => this.#renew(model));
  /** Models that failed on the GPU. No browser says in advance whether its driver can run a graph. */
  readonly #notOnGpu = new Set<string>();

  constructor(parts: PoolParts<Ops>) {
    this.#parts = parts;
  }

  /** Whether a model has a worker. */
  has(model: string): boolean {
    return this.#workers.has(model);
  }

  /** Loads a model if needed, and does the work. */
  async *run<E>(
    request: ModelRequest,
    signal: AbortSignal,
    work: Work<Ops, E>,
  ): AsyncGenerator<E, void, undefined> {
    const { model } = request;
    // Before its turn: others need not wait for a download.
    if (!this.has(model)) await this.#require(request, signal);
    const releases = [this.#idle.use(model), this.#parts.memory.expect(model)];
    try {
      releases.unshift(await this.#turns.enter(request.client ?? '', signal));
      yield* this.#withRetry(request, signal, work);
    } finally {
      for (const release of releases) release();
    }
  }

  /** Loads a model, and does nothing with it. */
  async load(request: ModelRequest, signal: AbortSignal): Promise<void> {
    for await (const _ of this.run(request, signal, noWork));
  }

  /** Unloads a model, once it gives no answer. */
  unload(model: string, signal: AbortSignal): Promise<void> {
    return this.#parts.memory.unload(model, signal);
  }

  /**
   * A request that fails before its first event is tried once more if that may help: with a new worker, on
   * the CPU after a failure on the GPU, and with a new copy of a damaged file.
   */
  async *#withRetry<E>(
    request: ModelRequest,
    signal: AbortSignal,
    work: Work<Ops, E>,
  ): AsyncGenerator<E, void, undefined> {
    const couldUseGpu = !this.#notOnGpu.has(request.model);
    let hasBegun = false;
    try {
      for await (const event of this.#attempt(request, signal, work)) {
        hasBegun = true;
        yield event;
      }
    } catch (error) {
      const { code } = toErrorData(error);
      const failedOnGpu = couldUseGpu && this.#notOnGpu.has(request.model);
      const mayHelp = code === 'engine_error' || code === 'timeout' || failedOnGpu;
      if (hasBegun || signal.aborted || !mayHelp) throw error;
      yield* this.#attempt(request, signal, work);
    }
  }

  async *#attempt<E>(
    request: ModelRequest,
    signal: AbortSignal,
    work: Work<Ops, E>,
  ): AsyncGenerator<E, void, undefined> {
    const { model } = request;
    let release: (() => void) | undefined;
    try {
      release = this.#parts.memory.hold(model) ?? (await this.#loadAndHold(request, signal));
      yield* this.#work(this.#worker(model), work);
    } catch (error) {
      if (!signal.aborted) await this.#afterFailure(model, error);
      throw error;
    } finally {
      release?.();
    }
  }

  /** Works with a worker. The memory that its first work takes is what the model needs. */
  async *#work<E>(
    running: RunningWorker<Ops>,
    work: Work<Ops, E>,
  ): AsyncGenerator<E, void, undefined> {
    let hasWorked = false;
    for await (const event of watchdog(work(running.worker), this.#parts.timeoutMs)) {
      if (event === undefined) continue;
      hasWorked = true;
      yield event;
    }
    if (!hasWorked || running.heapBytes !== undefined) return;
    const note = (bytes: number) => void (running.heapBytes ??= bytes);
    // The work is done, whatever becomes of this.
    void heapOf(running.worker).then(note, () => undefined);
  }

  async #loadAndHold(request: ModelRequest, signal: AbortSignal): Promise<() => void> {
    const installed = await this.#require(request, signal);
    await this.#parts.loads.check(installed, request);
    const release = await this.#parts.memory.load(this.#loadable(installed), signal);
    void this.#parts.installer.touch(request.model);
    return release;
  }

  #require({ model, autoInstall }: ModelRequest, signal: AbortSignal): Promise<InstalledModel> {
    return this.#parts.installer.requireModel(model, signal, autoInstall);
  }

  #loadable(installed: InstalledModel): Loadable {
    const { id } = installed.entry;
    return {
      id,
      bytes: memoryBytes(installed),
      load: () => this.#parts.loads.during(installed, () => this.#load(installed)),
      unload: async () => {
        this.#endWorker(id);
        this.#parts.progress.reportEnd(id, 'unloaded', 'Unloaded');
      },
    };
  }

  async #load(installed: InstalledModel): Promise<void> {
    const { id } = installed.entry;
    this.#parts.progress.reportLoad(installed, 'load', 0, 'Loading');
    const device = this.#notOnGpu.has(id) ? 'wasm' : await this.#parts.device(installed);
    try {
      await this.#begin(installed, device);
    } catch (error) {
      if (device === 'wasm') throw error;
      // Retried here, so that no other model is unloaded because the GPU is short of memory.
      await this.#begin(installed, 'wasm');
    }
    this.#parts.progress.reportLoad(installed, 'ready', 1, 'Ready');
  }

  async #begin(installed: InstalledModel, device: OnnxDevice): Promise<void> {
    const { id } = installed.entry;
    const worker = this.#parts.start(device, installed);
    this.#workers.set(id, { worker, installed, device });
    // The load is finished even if the request that asked for it is cancelled.
    const { signal } = new AbortController();
    try {
      for await (const _ of watchdog(worker.run({ op: 'open', ...installed }, signal)));
    } catch (error) {
      await this.#endFailed(id, error);
      throw error;
    }
  }

  /** Unless the request was at fault, the worker may be in any state: the next request gets a new one. */
  async #afterFailure(model: string, error: unknown): Promise<void> {
    const { status, message } = toErrorData(error);
    if (status < 500) return;
    this.#parts.memory.forget(model);
    await this.#endFailed(model, error);
    this.#parts.progress.reportEnd(model, 'failed', message);
  }

  /**
   * Replaces an idle worker whose memory has grown far beyond what the model needs: the memory of WebAssembly cannot
   * shrink, whether it was needed once for a large batch or has leaked.
   */
  async #renew(model: string): Promise<void> {
    const running = this.#workers.get(model);
    if (running?.heapBytes === undefined) return;
    const grownBy = (await heapOf(running.worker)) - running.heapBytes;
    if (grownBy <= Math.max(LEAST_GROWTH, running.heapBytes * GROWTH)) return;
    const { signal } = new AbortController();
    await this.unload(model, signal);
    await this.load({ model, automatic: true }, signal);
  }

  #worker(model: string): RunningWorker<Ops> {
    const running = this.#workers.get(model);
    if (!running) throw new Error(`The model '${model}' is held but not loaded.`);
    return running;
  }

  async #endFailed(model: string, error: unknown): Promise<void> {
    const running = this.#workers.get(model);
    this.#endWorker(model);
    if (!running) return;
    const { installed, device } = running;
    if (device === 'webgpu') this.#notOnGpu.add(model);
    // On the CPU because the GPU has failed. Another variant may run on the GPU.
    else if (installed.variant.needs.shaderF16 && this.#notOnGpu.delete(model)) {
      await this.#parts.loads.noteUnusable(installed, error);
    }
  }

  #endWorker(model: string): void {
    this.#workers.get(model)?.worker.end();
    this.#workers.delete(model);
  }
}

/** Size of WebAssembly's memory in a worker, bytes. */
async function heapOf(worker: ModelWorker<'heap'>): Promise<number> {
  let size = 0;
  const { signal } = new AbortController();
  for await (const { bytes } of watchdog(worker.run({ op: 'heap' }, signal))) size = bytes;
  return size;
}

async function* noWork(): AsyncGenerator<never, void, undefined> {
  // The model is loaded by now.
}
