import { ApiError, EngineLost, modelNotFound, toErrorData } from '../core/errors.ts';
import type { Engine, GenerateJob, Job, JobEvent, ProgressStage } from '../core/engine.ts';
import type { CacheShim, ReadFile } from './cache-shim.ts';
import { ChatModel } from './chat-model.ts';
import type { InstalledModel, ModelLibrary } from './model-library.ts';
import { ModelPipelines } from './model-pipelines.ts';
import type { ProgressBoard } from './progress-board.ts';
import { Turnstile } from './turnstile.ts';
import { watchdog, watchProgress } from './watchdog.ts';
import type { WebLlm } from './webllm.ts';

interface Parts {
  webllm: WebLlm;
  shim: CacheShim;
  library: ModelLibrary;
  progress: ProgressBoard;
  /** Undefined: WebLLM has it to itself. */
  gpu?: GPU;
  /** Called when WebLLM or the GPU failed in a way after which only a new worker can be trusted. */
  onBroken: () => void;
}

/** A model in GPU memory. */
interface LoadedModel {
  installed: InstalledModel;
  model: ChatModel;
  pipelines: ModelPipelines | undefined;
}

const IN_USE: ReadonlySet<ProgressStage> = new Set(['load', 'ready']);
/** Codes of failures after which WebLLM is not used any more. */
const BREAKING = new Set<string | null>(['timeout', 'out_of_memory', 'unforeseen']);

/** The engine of this worker: one model in GPU memory, one generation at a time. */
export class LocalEngine implements Engine {
  readonly #parts: Parts;
  readonly #turns = new Turnstile();
  #loaded: LoadedModel | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async *run(job: Job, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    const { library, progress } = this.#parts;
    switch (job.op) {
      case 'generate':
        yield* this.#generate(job, signal);
        return;
      case 'speak':
        throw modelNotFound(job.model, 'No model of this engine speaks.');
      case 'load':
        await this.#bring(job.model, signal);
        await this.#inTurn(job, signal, () => this.#load(job.model, signal));
        return;
      case 'unload':
        await this.#inTurn(job, signal, () => this.#unload(job.model));
        return;
      case 'install':
        await library.install(
          job.model,
          signal,
          job.makeRoom ? { makeRoomBut: this.#inUse() } : {},
        );
        return;
      case 'pause':
        library.pause(job.model);
        return;
      case 'add':
        yield { type: 'added', model: (await library.add(job.source, signal)).id };
        return;
      case 'states':
        yield* progress.states();
        return;
      case 'remove':
        await this.#inTurn(job, signal, () => this.#unload(job.model));
        await library.remove(job.model);
        return;
      case 'watch':
        yield* progress.watch(signal);
        return;
    }
  }

  async *#generate(
    job: GenerateJob,
    signal: AbortSignal,
  ): AsyncGenerator<JobEvent, void, undefined> {
    await this.#bring(job.model, signal, job.autoInstall);
    const leave = await this.#turns.enter(clientOf(job), signal);
    try {
      const loaded = await this.#load(job.model, signal);
      signal.throwIfAborted();
      yield* watchdog(loaded.model.generate(job, signal));
      void this.#keepGpuRecipe(loaded);
    } catch (error) {
      throw this.#afterFailure(error, signal);
    } finally {
      leave();
    }
  }

  /** Before its turn: a download of gigabytes must not keep the others waiting. */
  async #bring(model: string, signal: AbortSignal, autoInstall = false): Promise<void> {
    if (this.#loaded?.installed.entry.id === model) return;
    await this.#parts.library.require(model, signal, autoInstall);
  }

  async #inTurn(job: Job, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
    const leave = await this.#turns.enter(clientOf(job), signal);
    try {
      await work();
    } catch (error) {
      throw this.#afterFailure(error, signal);
    } finally {
      leave();
    }
  }

  /** Models in memory, those that speak among them. */
  #inUse(): Set<string> {
    const events = [...this.#parts.progress.states()];
    return new Set(
      events.flatMap((event) =>
        event.type === 'progress' && IN_USE.has(event.progress.stage) ? event.progress.model : [],
      ),
    );
  }

  async #load(id: string, signal: AbortSignal): Promise<LoadedModel> {
    if (this.#loaded?.installed.entry.id === id) return this.#loaded;
    const { library } = this.#parts;
    const installed = await library.require(id, signal);
    if (this.#loaded) await this.#unload(this.#loaded.installed.entry.id);
    signal.throwIfAborted();
    const loaded = await this.#reported(id, () => this.#loadIntoGpu(installed, signal), signal);
    this.#loaded = loaded;
    void library.touch(id);
    this.#report(installed, 'ready', 1, 'Ready');
    return loaded;
  }

  #loadIntoGpu(installed: InstalledModel, signal: AbortSignal): Promise<LoadedModel> {
    const { webllm, shim, library, gpu } = this.#parts;
    const { entry, installation } = installed;
    const { modelLibrary } = installation;
    this.#report(installed, 'load', 0, 'Loading');
    const options = {
      modelLibrary,
      overrides: entry.overrides ?? {},
      needsF16: entry.source.kind === 'hub' && entry.source.needsF16,
    };
    return watchProgress('loading', async (onStep) => {
      const load = async (read: ReadFile) => {
        shim.serve(read);
        return ChatModel.load(webllm, read, options, (done, text) => {
          onStep();
          this.#report(installed, 'load', done, text);
        });
      };
      const pipelines = gpu && new ModelPipelines(gpu, await library.gpuRecipe(installed));
      try {
        const model = await library.loadVerified(installed, load, signal, onStep);
        return { installed, model, pipelines };
      } finally {
        await pipelines?.end();
      }
    });
  }

  async #keepGpuRecipe({ installed, pipelines }: LoadedModel): Promise<void> {
    const recipe = pipelines?.takeNews();
    if (recipe) await this.#parts.library.keepGpuRecipe(installed, recipe);
  }

  async #unload(id: string): Promise<void> {
    if (this.#loaded?.installed.entry.id !== id) return;
    this.#loaded = undefined;
    await watchProgress('unloading', () => this.#parts.webllm.unload());
    this.#reportEnd(id, 'unloaded', 'Unloaded');
  }

  /**
   * Reports a failure to the watchers, and throws it.
   *
   * @param signal - cancels the work: which is no failure then
   */
  async #reported<T>(model: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (signal?.aborted) this.#reportEnd(model, 'unloaded', 'Cancelled');
      else this.#reportEnd(model, 'failed', text);
      throw error;
    }
  }

  #reportEnd(model: string, stage: 'unloaded' | 'failed', text: string): void {
    this.#parts.progress.report({ model, stage, loadedBytes: 0, totalBytes: 0, text });
  }

  #report(
    { entry, installation }: InstalledModel,
    stage: ProgressStage,
    done: number,
    text: string,
  ) {
    const totalBytes = installation.files.reduce((sum, file) => sum + file.size, 0);
    const loadedBytes = Math.round(done * totalBytes);
    this.#parts.progress.report({ model: entry.id, stage, loadedBytes, totalBytes, text });
  }

  /**
   * After an error nobody foresaw, a hang or a lost GPU, WebLLM's state is unknown: its worker is replaced.
   *
   * @returns what to throw
   */
  #afterFailure(error: unknown, signal: AbortSignal): unknown {
    const code = error instanceof ApiError ? error.data.code : 'unforeseen';
    if (!BREAKING.has(code) || (code === 'unforeseen' && signal.aborted)) return error;
    this.#parts.onBroken();
    // Another worker has no more memory than this one had.
    if (code === 'out_of_memory') return error;
    return new EngineLost(toErrorData(error), { broke: true, cause: error });
  }
}

/** Loading and unloading is nobody's in particular: pages do it, which have no key. */
function clientOf(job: Job): string {
  return ('client' in job ? job.client : undefined) ?? '';
}
