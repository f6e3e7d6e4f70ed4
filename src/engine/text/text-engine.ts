import { totalBytes } from '../../core/stores/variant.ts';
import { ApiError, EngineLost, modelNotFound, toErrorData } from '../../core/protocol/errors.ts';
import type { GenerateJob, Job, JobEvent, ProgressStage } from '../../core/protocol/engine.ts';
import type { CacheShim } from '../webllm/cache-shim.ts';
import type { ReadFile } from '../weights/read-file.ts';
import { ChatModel } from './chat-model.ts';
import { memoryBytes } from '../scheduling/memory-budget.ts';
import type { ModelMemory } from '../scheduling/model-memory.ts';
import type { Installer } from '../weights/installer.ts';
import type { InstalledModel } from '../weights/installed-model.ts';
import { ModelPipelines } from '../webllm/gpu-kernels.ts';
import { keepGpuRecipe, readGpuRecipe } from '../webllm/gpu-recipe.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import type { Loadable } from '../scheduling/resident-model.ts';
import { Turnstile } from '../scheduling/turnstile.ts';
import { watchdog, watchProgress } from '../scheduling/watchdog.ts';
import type { WebLlm } from '../webllm/webllm.ts';

interface Parts {
  /** A new one for each model. */
  webllm: () => WebLlm;
  shim: CacheShim;
  library: Installer;
  progress: ProgressBoard;
  /** Undefined: WebLLM has it to itself. */
  gpu?: GPU;
  memory: ModelMemory;
  /** Called when WebLLM or the GPU failed in a way after which only a new worker can be trusted. */
  onBroken: () => void;
}

/** A model in memory. */
interface LoadedModel {
  installed: InstalledModel;
  webllm: WebLlm;
  model: ChatModel;
  pipelines: ModelPipelines | undefined;
}

/** What concerns models that write, and whatever concerns no model in particular. */
type LocalJob = Exclude<Job, { op: 'speak' | 'keep' }>;
type ModelJob = Extract<Job, { op: 'generate' | 'load' }>;

const IN_USE: ReadonlySet<ProgressStage> = new Set(['load', 'ready']);
/** Codes of failures after which WebLLM is not used any more. */
const BREAKING = new Set<string | null>(['timeout', 'out_of_memory', 'unforeseen']);

/** The models of this worker that write: as many as memory holds, one generation at a time. */
export class LocalEngine {
  readonly #parts: Parts;
  readonly #turns = new Turnstile();
  /** Those in memory, by id. */
  readonly #models = new Map<string, LoadedModel>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async *run(job: LocalJob, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    const { library, progress } = this.#parts;
    switch (job.op) {
      case 'generate':
        yield* this.#generate(job, signal);
        return;
      case 'load':
        await this.#bring(job.model, signal);
        yield* this.#inTurn(job, signal, nothing);
        return;
      case 'unload':
        await this.#unload(job.model, signal);
        return;
      case 'install':
        await library.install(job.model, signal, job.makeRoom ? { keep: this.#inUse() } : {});
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
        await this.#unload(job.model, signal);
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
    yield* this.#inTurn(job, signal, (loaded) => this.#answer(job, loaded, signal));
  }

  async *#answer(
    job: GenerateJob,
    loaded: LoadedModel,
    signal: AbortSignal,
  ): AsyncGenerator<JobEvent, void, undefined> {
    yield* watchdog(loaded.model.generate(job, signal));
    void this.#keepRecipe(loaded);
  }

  #isWarm(job: ModelJob): boolean {
    return job.op === 'generate' && (this.#models.get(job.model)?.model.isWarm(job) ?? false);
  }

  /** Before its turn: a download of gigabytes must not keep the others waiting. */
  async #bring(model: string, signal: AbortSignal, autoInstall = false): Promise<void> {
    if (this.#models.has(model)) return;
    await this.#parts.library.require(model, signal, autoInstall);
  }

  /** Has the model in memory and to itself while it works. */
  async *#inTurn(
    job: ModelJob,
    signal: AbortSignal,
    work: (loaded: LoadedModel) => AsyncIterable<JobEvent>,
  ): AsyncGenerator<JobEvent, void, undefined> {
    const ended: (() => void)[] = [this.#parts.memory.expect(job.model)];
    try {
      const isWarm = () => this.#isWarm(job);
      ended.unshift(await this.#turns.enter(clientOf(job), signal, isWarm));
      ended.unshift(await this.#hold(job.model, signal));
      signal.throwIfAborted();
      yield* work(this.#loaded(job.model));
    } catch (error) {
      throw this.#afterFailure(error, signal);
    } finally {
      for (const end of ended) end();
    }
  }

  async #hold(id: string, signal: AbortSignal): Promise<() => void> {
    const { memory, library } = this.#parts;
    const release = memory.hold(id);
    if (release) return release;
    const installed = await library.require(id, signal);
    const loading = () => memory.load(this.#loadable(installed, signal), signal);
    const loaded = await this.#reported(id, loading, signal);
    void library.touch(id);
    return loaded;
  }

  #loaded(id: string): LoadedModel {
    const loaded = this.#models.get(id);
    if (!loaded) throw new Error(`The model '${id}' is held and not loaded.`);
    return loaded;
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

  #loadable(installed: InstalledModel, signal: AbortSignal): Loadable {
    const { id } = installed.entry;
    return {
      id,
      bytes: memoryBytes(installed),
      load: async () => {
        this.#models.set(id, await this.#loadIntoGpu(installed, signal));
        this.#report(installed, 'ready', 1, 'Ready');
      },
      unload: () => this.#unloadFromGpu(id),
      extra: {
        bytes: () => this.#models.get(id)?.model.kv.extraBytes ?? 0,
        release: () => this.#models.get(id)?.model.kv.releaseExtra(),
      },
    };
  }

  #loadIntoGpu(installed: InstalledModel, signal: AbortSignal): Promise<LoadedModel> {
    const { shim, library, gpu, memory } = this.#parts;
    const webllm = this.#parts.webllm();
    const { entry, variant } = installed;
    if (variant.engine !== 'webllm') throw modelNotFound(entry.id, 'It does not write text.');
    this.#report(installed, 'load', 0, 'Loading');
    const options = {
      modelLibrary: variant.modelLibrary,
      overrides: variant.overrides ?? {},
      needsF16: variant.needs.shaderF16 ?? false,
      mayTake: (bytes: number) => memory.hasRoom(bytes),
    };
    return watchProgress('loading', async (onStep) => {
      const load = async (read: ReadFile) => {
        shim.serve(read);
        return ChatModel.load(webllm, read, options, (done, text) => {
          onStep();
          this.#report(installed, 'load', done, text);
        });
      };
      const pipelines = gpu && new ModelPipelines(gpu, await readGpuRecipe(library, installed));
      try {
        const model = await library.loadVerified(installed, load, signal, onStep);
        return { installed, webllm, model, pipelines };
      } finally {
        await pipelines?.end();
      }
    });
  }

  async #keepRecipe({ installed, pipelines }: LoadedModel): Promise<void> {
    const recipe = pipelines?.takeNews();
    if (recipe) await keepGpuRecipe(this.#parts.library, installed, recipe);
  }

  async #unloadFromGpu(id: string): Promise<void> {
    const loaded = this.#models.get(id);
    this.#models.delete(id);
    try {
      await watchProgress('unloading', async () => loaded?.webllm.unload());
    } catch (error) {
      // Nobody may be waiting for it.
      throw this.#afterFailure(error, new AbortController().signal);
    }
    this.#reportEnd(id, 'unloaded', 'Unloaded');
  }

  async #unload(id: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#parts.memory.unload(id, signal);
    } catch (error) {
      throw this.#afterFailure(error, signal);
    }
  }

  /**
   * Reports a failure to load to the watchers, and throws it.
   *
   * @param signal - cancels the work: which is no failure then
   */
  async #reported<T>(model: string, load: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await load();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) this.#reportEnd(model, 'failed', text);
      else if (!this.#models.has(model)) this.#reportEnd(model, 'unloaded', 'Cancelled');
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
    const total = totalBytes(installation.files);
    const loadedBytes = Math.round(done * total);
    this.#parts.progress.report({ model: entry.id, stage, loadedBytes, totalBytes: total, text });
  }

  /**
   * After an error nobody foresaw, a hang or a lost GPU, WebLLM's state is unknown: its worker is replaced.
   *
   * @returns what to throw
   */
  #afterFailure(error: unknown, signal: AbortSignal): unknown {
    if (error instanceof EngineLost) return error;
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

async function* nothing(): AsyncGenerator<never> {}
