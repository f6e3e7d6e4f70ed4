import { engineOf, withoutEvents, type Engine } from '../../../core/protocol/engine.ts';
import { toErrorData } from '../../../core/protocol/errors.ts';
import type { EventOf, ProgressStage, SpeakEvent } from '../../../core/protocol/events.ts';
import type { JobOf } from '../../../core/protocol/jobs.ts';
import { totalBytes } from '../../../core/stores/variant.ts';
import type { SpeechDevice } from '../../../core/protocol/messages.ts';
import { memoryBytes } from '../../scheduling/memory-budget.ts';
import type { ModelMemory } from '../../scheduling/model-memory.ts';
import type { Installer } from '../../weights/installer.ts';
import type { InstalledModel } from '../../weights/installed-model.ts';
import type { ProgressBoard } from '../../scheduling/progress-board.ts';
import type { Loadable } from '../../scheduling/resident-model.ts';
import { Turnstile } from '../../scheduling/turnstile.ts';
import { watchdog } from '../../scheduling/watchdog.ts';
import type { SpeechOperation } from './speech-engine.ts';
import type { Endable } from './speech-worker.ts';

interface Parts {
  installer: Pick<Installer, 'require' | 'touch'>;
  progress: ProgressBoard;
  memory: ModelMemory;
  /** What a model runs on unless it has failed there. */
  device: (model: InstalledModel) => Promise<SpeechDevice>;
  /** Starts a worker that speaks. */
  start: (device: SpeechDevice) => Endable;
}

/** What the engine does with speech models. */
export type SpeechModelOperation = SpeechOperation | 'unload';

type WorkerJob = JobOf<SpeechOperation>;

/**
 * Speech as the engine worker has it: brings models into the weight store, and starts a worker for each that
 * is to speak, with whose end its memory is free again. One job at a time.
 */
export class SpeechHost implements Engine<SpeechModelOperation> {
  readonly #parts: Parts;
  readonly #engine = engineOf<SpeechModelOperation>({
    speak: (job, signal) => this.#perform(job, signal),
    load: (job, signal) => withoutEvents(() => this.#perform(job, signal)),
    unload: (job, signal) => withoutEvents(() => this.#parts.memory.unload(job.model, signal)),
  });
  readonly #turns = new Turnstile();
  /** By model: each has it in memory. */
  readonly #workers = new Map<string, { worker: Endable; device: SpeechDevice }>();
  /** Models that failed on the GPU: no browser tells beforehand what its driver makes of a graph. */
  readonly #notOnGpu = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  run<Op extends SpeechModelOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
  ): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }

  async *#perform(
    job: WorkerJob,
    signal: AbortSignal,
  ): AsyncGenerator<SpeakEvent, void, undefined> {
    // Before its turn: a download must not keep the others waiting.
    await this.#require(job, signal);
    const ended: (() => void)[] = [this.#parts.memory.expect(job.model)];
    try {
      ended.unshift(await this.#turns.enter('client' in job ? (job.client ?? '') : '', signal));
      yield* this.#onceMore(job, signal);
    } finally {
      for (const end of ended) end();
    }
  }

  /**
   * A second attempt has a new worker, on the CPU where the first was on the GPU, and whole files where one
   * was damaged. What was sent stays sent.
   */
  async *#onceMore(
    job: WorkerJob,
    signal: AbortSignal,
  ): AsyncGenerator<SpeakEvent, void, undefined> {
    const couldBeOnGpu = !this.#notOnGpu.has(job.model);
    let hasBegun = false;
    try {
      for await (const event of this.#attempt(job, signal)) {
        hasBegun = true;
        yield event;
      }
    } catch (error) {
      const { code } = toErrorData(error);
      const wasOnGpu = couldBeOnGpu && this.#notOnGpu.has(job.model);
      const mayPass = code === 'engine_error' || code === 'timeout' || wasOnGpu;
      if (hasBegun || signal.aborted || !mayPass) throw error;
      yield* this.#attempt(job, signal);
    }
  }

  async *#attempt(
    job: WorkerJob,
    signal: AbortSignal,
  ): AsyncGenerator<SpeakEvent, void, undefined> {
    let release: (() => void) | undefined;
    try {
      release = this.#parts.memory.hold(job.model) ?? (await this.#bring(job, signal));
      void this.#parts.installer.touch(job.model);
      if (job.op === 'speak') yield* watchdog(this.#worker(job.model).run(job, signal));
    } catch (error) {
      if (!signal.aborted) this.#afterFailure(job.model, error);
      throw error;
    } finally {
      release?.();
    }
  }

  async #bring(job: WorkerJob, signal: AbortSignal): Promise<() => void> {
    const installed = await this.#require(job, signal);
    return this.#parts.memory.load(this.#loadable(installed), signal);
  }

  #require(job: WorkerJob, signal: AbortSignal): Promise<InstalledModel> {
    const autoInstall = job.op === 'speak' && job.autoInstall;
    return this.#parts.installer.require(job.model, signal, autoInstall);
  }

  #loadable(installed: InstalledModel): Loadable {
    const { id } = installed.entry;
    return {
      id,
      bytes: memoryBytes(installed),
      load: () => this.#load(installed),
      unload: async () => {
        this.#endWorker(id);
        this.#reportEnd(id, 'unloaded', 'Unloaded');
      },
    };
  }

  async #load(installed: InstalledModel): Promise<void> {
    const { id } = installed.entry;
    this.#report(installed, 'load', 0, 'Loading');
    const device = this.#notOnGpu.has(id) ? 'wasm' : await this.#parts.device(installed);
    try {
      await this.#begin(id, device);
    } catch (error) {
      if (device === 'wasm') throw error;
      // Here, so that no other model has to go for what the GPU lacks.
      await this.#begin(id, 'wasm');
    }
    this.#report(installed, 'ready', 1, 'Ready');
  }

  async #begin(id: string, device: SpeechDevice): Promise<void> {
    const worker = this.#parts.start(device);
    this.#workers.set(id, { worker, device });
    // Who asked may leave meanwhile: loaded it is nevertheless.
    const { signal } = new AbortController();
    try {
      for await (const _ of watchdog(worker.run({ op: 'load', model: id }, signal)));
    } catch (error) {
      this.#endFailed(id);
      throw error;
    }
  }

  /**
   * What the request is not to blame for may have left the worker in any state: the next job gets a new
   * one.
   */
  #afterFailure(model: string, error: unknown): void {
    const { status, message } = toErrorData(error);
    if (status < 500) return;
    this.#parts.memory.forget(model);
    this.#endFailed(model);
    this.#reportEnd(model, 'failed', message);
  }

  #worker(model: string): Endable {
    const running = this.#workers.get(model);
    if (!running) throw new Error(`The model '${model}' is held and not loaded.`);
    return running.worker;
  }

  #endFailed(model: string): void {
    if (this.#workers.get(model)?.device === 'webgpu') this.#notOnGpu.add(model);
    this.#endWorker(model);
  }

  #endWorker(model: string): void {
    this.#workers.get(model)?.worker.end();
    this.#workers.delete(model);
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
    const total = totalBytes(installation.files);
    const loadedBytes = done * total;
    this.#parts.progress.report({ model: entry.id, stage, loadedBytes, totalBytes: total, text });
  }
}
