import type { LoadLog } from '../device/load-log.ts';
import { toErrorData } from '../../core/errors/errors.ts';
import type { Task } from '../../core/catalog/catalog-entry.ts';
import type { EventOf } from '../../core/operations/events/events.ts';
import type { JobOf, Operation } from '../../core/operations/jobs/jobs.ts';
import { consequenceOf, type Phase } from '../road/failure-policy.ts';
import { memoryBytes } from '../scheduling/memory-budget.ts';
import type { ModelMemory } from '../scheduling/model-memory.ts';
import type { Installer } from '../download/installer/installer.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import type { Loadable } from '../scheduling/resident-model.ts';
import { Turnstile } from '../scheduling/turnstile.ts';
import { watchOutput } from '../scheduling/watchdog.ts';
import { IdleTimers } from './idle-timers.ts';
import { pass } from '../road/stage.ts';
import { RunningWorkers, type WorkerParts } from './running-workers.ts';

/** @typeParam Ops - the operations of the workers' task */
export interface PoolParts<Ops extends Operation> extends WorkerParts<Ops> {
  installer: Pick<Installer, 'requireModel' | 'touch'>;
  progress: ProgressBoard;
  memory: ModelMemory;
  /** What went wrong with models on this device. */
  loads: Pick<LoadLog, 'check' | 'during' | 'noteUnusable'>;
  /** Work without an event for this long has failed, milliseconds; undefined: GENERATION_TIMEOUT_MS. */
  timeoutMs?: number;
}

/** A request to a model, whatever its task. */
interface ModelRequest {
  model: string;
  /** The client that sent the request: turns are fair between clients. */
  client?: string;
  /** Wait for the download of a model that is not installed, rather than fail. */
  autoInstall?: boolean;
  automatic?: boolean;
  anyway?: boolean;
  starting?: boolean;
}

/** What the stages of a pool read and write. */
interface PoolContext<E> {
  job: ModelRequest;
  readonly signal: AbortSignal;
  emit: (event: E) => void;
  installed?: InstalledModel;
}

type Next = () => Promise<void>;

/** A job for the worker of a model. */
interface WorkerContext<Op extends Operation> {
  job: JobOf<Op> & { model: string };
  readonly signal: AbortSignal;
  emit: (event: EventOf<Op>) => void;
  /** Whether an event only says that the work continues. Such events aren't passed on. Undefined: there are none. */
  isSign?: (event: EventOf<Op>) => boolean;
  /** How long the first event may take, milliseconds; undefined: as long as all others. */
  firstMs?: number;
  /** When the worker got the job, milliseconds of `performance.now`. */
  begun?: number;
}

/**
 * Runs models, each in a worker of its own: ending the worker is the only sure way to free its memory. The pool
 * answers one request at a time. A model that fails on the GPU runs on the CPU from then on. If it fails there, too,
 * and was made for GPUs, the next request gets another variant of it.
 */
export class WorkerPool<Ops extends Operation> {
  readonly #parts: PoolParts<Ops>;
  readonly #turns = new Turnstile();
  readonly #workers: RunningWorkers<Ops>;
  /** Timers of models without a request: `#renew` then checks their workers. */
  readonly #idle = new IdleTimers((model) => this.#renew(model));

  constructor(parts: PoolParts<Ops>) {
    this.#parts = parts;
    this.#workers = new RunningWorkers(parts, (model) => this.#onGone(model));
  }

  /** The task of a model that has a worker; undefined: it has none. */
  taskOf(model: string): Task | undefined {
    return this.#workers.get(model)?.installed.entry.task;
  }

  /** Chooses the variant, and downloads it if the job allows that: before its turn, so that others don't wait. */
  readonly installed = async ({ job, signal }: PoolContext<never>, next: Next): Promise<void> => {
    if (!this.#workers.get(job.model)) await this.#require(job, signal);
    await next();
  };

  readonly turn = async ({ job, signal }: PoolContext<never>, next: Next): Promise<void> => {
    const releases = [this.#idle.use(job.model), this.#parts.memory.expect(job.model)];
    try {
      releases.unshift(await this.#turns.enter(job.client ?? '', signal));
      await next();
    } finally {
      for (const release of releases) release();
    }
  };

  /**
   * A request that fails before its first event is tried once more if that may help: with a new worker, on
   * the CPU after a failure on the GPU, and with a new copy of a damaged file. A request that hung on the CPU would hang
   * again.
   */
  readonly retried = async <E>(context: PoolContext<E>, next: Next): Promise<void> => {
    const { job, signal, emit } = context;
    const couldUseGpu = !this.#workers.failedOnGpu(job.model);
    let hasBegun = false;
    context.emit = (event) => {
      hasBegun = true;
      emit(event);
    };
    try {
      await next();
    } catch (error) {
      const { code, retryable } = toErrorData(error);
      const failedOnGpu = couldUseGpu && this.#workers.failedOnGpu(job.model);
      const isPassing = code === 'engine_error' || (code === 'site_file_broken' && retryable);
      const mayHelp = isPassing || failedOnGpu;
      if (hasBegun || signal.aborted || !mayHelp) throw error;
      await next();
    } finally {
      context.emit = emit;
    }
  };

  /** Loads the model if necessary, keeps it in memory during the job, and handles its errors. */
  readonly memory = async (context: PoolContext<never>, next: Next): Promise<void> => {
    const { job, signal } = context;
    const release = this.#parts.memory.hold(job.model) ?? (await this.#loadAndHold(job, signal));
    const { installed } = this.#workers.held(job.model);
    context.installed = installed;
    try {
      await next();
    } catch (error) {
      if (!signal.aborted) await this.#afterFailure(installed, error, 'answer');
      throw error;
    } finally {
      release();
    }
  };

  /** Sends the job to its model's worker. The worker's memory after its first job counts as what the model needs. */
  readonly answer = async <Op extends Ops>(context: WorkerContext<Op>): Promise<void> => {
    const { job, signal, emit, isSign, firstMs } = context;
    const running = this.#workers.held(job.model);
    let hasWorked = false;
    context.begun = performance.now();
    await watchOutput(
      (onOutput) =>
        running.worker.run<Op>(job, signal, (event) => {
          onOutput();
          if (isSign?.(event)) return;
          hasWorked = true;
          emit(event);
        }),
      this.#parts.timeoutMs,
      firstMs,
    );
    // The job is done, even if this fails.
    if (hasWorked) void this.#workers.noteHeap(running).catch(() => undefined);
  };

  /** The stages that load a model. */
  get loading() {
    return [this.installed, this.turn, this.retried, this.memory];
  }

  /** Unloads a model when its running answers end. */
  unload(model: string, signal: AbortSignal): Promise<void> {
    return this.#parts.memory.unload(model, signal);
  }

  async #loadAndHold(request: ModelRequest, signal: AbortSignal): Promise<() => void> {
    const installed = await this.#require(request, signal);
    await this.#parts.loads.check(installed, request);
    try {
      const release = await this.#parts.memory.load(this.#loadable(installed), signal);
      void this.#parts.installer.touch(request.model);
      return release;
    } catch (error) {
      if (!signal.aborted) await this.#afterFailure(installed, error, 'load');
      throw error;
    }
  }

  #onGone(model: string): void {
    if (!this.#parts.memory.forgetIdle(model)) return;
    this.#workers.end(model);
    this.#parts.progress.reportEnd(model, 'unloaded', 'Unloaded');
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
        await this.#workers.close(id);
        this.#parts.progress.reportEnd(id, 'unloaded', 'Unloaded');
      },
    };
  }

  async #load(installed: InstalledModel): Promise<void> {
    const { progress } = this.#parts;
    progress.reportLoad(installed, 'load', 0, 'Loading');
    await this.#workers.load(installed);
    progress.reportLoad(installed, 'ready', 1, 'Ready');
  }

  /** Applies the failure policy. A worker that may be in any state is ended, and the next request gets a new one. */
  async #afterFailure(
    { entry, variant }: InstalledModel,
    error: unknown,
    phase: Phase,
  ): Promise<void> {
    const { id, task } = entry;
    if (consequenceOf({ task, engine: variant.engine }, error, phase) === 'request failed') return;
    this.#parts.memory.forget(id);
    await this.#workers.endFailed(id, error);
    this.#parts.progress.reportEnd(id, 'failed', toErrorData(error).message);
  }

  /**
   * Replaces an idle worker whose memory has grown far beyond what the model needs: the memory of WebAssembly cannot
   * shrink, whether it was needed once for a large batch or has leaked.
   */
  async #renew(model: string): Promise<void> {
    if (!(await this.#workers.hasGrown(model))) return;
    const { signal } = new AbortController();
    await this.unload(model, signal);
    const job = { model, automatic: true };
    await pass(this.loading, { job, signal, emit: () => undefined });
  }
}
