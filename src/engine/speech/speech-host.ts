import { toErrorData } from '../../core/errors.ts';
import type { Job, JobEvent, ProgressStage } from '../../core/engine.ts';
import type { InstalledModel, ModelLibrary } from '../model-library.ts';
import type { ProgressBoard } from '../progress-board.ts';
import { Turnstile } from '../turnstile.ts';
import { watchdog } from '../watchdog.ts';
import type { Endable } from './speech-worker.ts';

/** After this long without a job the worker ends and gives its memory back, milliseconds. */
const IDLE_MS = 300_000;

interface Parts {
  library: Pick<ModelLibrary, 'require' | 'remove' | 'touch'>;
  progress: ProgressBoard;
  /** Starts the worker that speaks. */
  start: () => Endable;
  idleMs?: number;
}

/** A job of a speech model. */
type SpeechJob = Extract<Job, { op: 'speak' | 'load' | 'unload' | 'remove' }>;

type WorkerJob = Extract<Job, { op: 'speak' | 'load' }>;

/**
 * Speech as the engine worker has it: brings models into the weight store, starts the worker that speaks
 * on the first job, and another one after a failure. One job at a time.
 */
export class SpeechHost {
  readonly #parts: Parts;
  readonly #turns = new Turnstile();
  #worker: Endable | undefined;
  /** The model that the worker has in memory. */
  #loaded: string | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async *run(job: SpeechJob, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    switch (job.op) {
      case 'speak':
      case 'load':
        yield* this.#perform(job, signal);
        return;
      case 'unload':
        await this.#inTurn(job, signal, () => this.#unload(job.model));
        return;
      case 'remove':
        await this.#inTurn(job, signal, () => this.#unload(job.model));
        await this.#parts.library.remove(job.model);
        return;
    }
  }

  async *#perform(job: WorkerJob, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    // Before its turn: a download must not keep the others waiting.
    const autoInstall = job.op === 'speak' && job.autoInstall;
    const installed = await this.#parts.library.require(job.model, signal, autoInstall);
    const leave = await this.#enter(job, signal);
    try {
      yield* this.#inWorker(job, installed, signal);
    } catch (error) {
      if (!signal.aborted) this.#afterFailure(job.model, error);
      throw error;
    } finally {
      leave();
    }
  }

  async *#inWorker(
    job: WorkerJob,
    installed: InstalledModel,
    signal: AbortSignal,
  ): AsyncGenerator<JobEvent, void, undefined> {
    const isLoaded = this.#loaded === job.model;
    if (!isLoaded) this.#report(installed, 'load', 0, 'Loading');
    this.#worker ??= this.#parts.start();
    this.#loaded = job.model;
    void this.#parts.library.touch(job.model);
    let isReady = isLoaded;
    const ready = () => {
      if (!isReady) this.#report(installed, 'ready', 1, 'Ready');
      isReady = true;
    };
    for await (const event of watchdog(this.#worker.run(job, signal))) {
      ready();
      yield event;
    }
    ready();
  }

  async #inTurn(job: SpeechJob, signal: AbortSignal, work: () => void): Promise<void> {
    const leave = await this.#enter(job, signal);
    try {
      work();
    } finally {
      leave();
    }
  }

  /** Between turns the worker is idle. */
  async #enter(job: SpeechJob, signal: AbortSignal): Promise<() => void> {
    const leave = await this.#turns.enter('client' in job ? (job.client ?? '') : '', signal);
    clearTimeout(this.#idle);
    return () => {
      if (this.#worker) this.#idle = setTimeout(() => this.#end(), this.#parts.idleMs ?? IDLE_MS);
      leave();
    };
  }

  /**
   * What the request is not to blame for may have left the worker in any state: the next job gets a new
   * one.
   */
  #afterFailure(model: string, error: unknown): void {
    const { status, message } = toErrorData(error);
    if (status < 500) return;
    this.#end();
    this.#reportEnd(model, 'failed', message);
  }

  #unload(model: string): void {
    if (this.#loaded === model) this.#end();
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#worker?.end();
    this.#worker = undefined;
    if (this.#loaded !== undefined) this.#reportEnd(this.#loaded, 'unloaded', 'Unloaded');
    this.#loaded = undefined;
  }

  #reportEnd(model: string, stage: 'unloaded' | 'failed', text: string): void {
    this.#parts.progress.report({ model, stage, loadedBytes: 0, totalBytes: 0, text });
  }

  #report(
    { entry, installation }: InstalledModel,
    stage: ProgressStage,
    done: number,
    text: string,
  ): void {
    const totalBytes = installation.files.reduce((sum, file) => sum + file.size, 0);
    const loadedBytes = done * totalBytes;
    this.#parts.progress.report({ model: entry.id, stage, loadedBytes, totalBytes, text });
  }
}
