import { ApiError, EngineLost, toErrorData } from '../../core/protocol/errors.ts';
import type {
  AddedEvent,
  EventOf,
  GenerateEvent,
  ProgressEvent,
  ProgressStage,
} from '../../core/protocol/events.ts';
import { engineOf, withoutEvents, type Engine } from '../../core/protocol/engine.ts';
import type { GenerateJob, Job, JobOf, Operation } from '../../core/protocol/jobs.ts';
import { totalBytes } from '../../core/stores/installation-progress.ts';
import type { CacheShim } from '../webllm/cache-shim.ts';
import type { ReadFile } from '../weights/read-file.ts';
import { ChatModel } from './chat-model.ts';
import { memoryBytes } from '../scheduling/memory-budget.ts';
import type { ModelMemory } from '../scheduling/model-memory.ts';
import type { ModelLibrary } from '../weights/installer.ts';
import type { InstalledModel } from '../weights/installed-model.ts';
import { ModelPipelines } from '../webllm/gpu-kernels.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import type { Loadable } from '../scheduling/resident-model.ts';
import { Turnstile } from '../scheduling/turnstile.ts';
import { watchdog, watchProgress } from '../scheduling/watchdog.ts';
import type { WebLlm } from '../webllm/webllm.ts';

interface Parts {
  /** A new one for each model. */
  webllm: () => WebLlm;
  shim: CacheShim;
  library: ModelLibrary;
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
export type LocalOperation = Exclude<Operation, 'speak' | 'keep'>;
type ModelJob = Extract<Job, { op: 'generate' | 'load' }>;

const IN_USE: ReadonlySet<ProgressStage> = new Set(['load', 'ready']);
/** Codes of failures after which WebLLM is not used any more. */
const BREAKING = new Set<string | null>(['timeout', 'out_of_memory', 'unforeseen']);

/** The models of this worker that write: as many as memory holds, one generation at a time. */
export class LocalEngine implements Engine<LocalOperation> {
  readonly #parts: Parts;
  readonly #turns = new Turnstile();
  readonly #engine: Engine<LocalOperation>;
  /** Those in memory, by id. */
  readonly #models = new Map<string, LoadedModel>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#engine = engineOf<LocalOperation>({
      generate: (job, signal) => this.#generate(job, signal),
      load: (job, signal) => withoutEvents(() => this.#load(job, signal)),
      unload: (job, signal) => withoutEvents(() => this.#unload(job.model, signal)),
      install: (job, signal) => withoutEvents(() => this.#install(job, signal)),
      pause: (job) => withoutEvents(async () => parts.library.pause(job.model)),
      remove: (job, signal) => withoutEvents(() => this.#remove(job.model, signal)),
      add: (job, signal) => this.#add(job.source, signal),
      states: () => this.#states(),
      watch: (_job, signal) => parts.progress.watch(signal),
    });
  }

  run<Op extends LocalOperation>(job: JobOf<Op>, signal: AbortSignal): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }

  async *#load(job: JobOf<'load'>, signal: AbortSignal): AsyncGenerator<GenerateEvent> {
    await this.#bring(job.model, signal);
    yield* this.#inTurn(job, signal, nothing);
  }

  async #install({ model, makeRoom }: JobOf<'install'>, signal: AbortSignal): Promise<void> {
    const options = makeRoom ? { makeRoomBut: this.#inUse() } : {};
    await this.#parts.library.install(model, signal, options);
  }

  async *#add(source: string, signal: AbortSignal): AsyncGenerator<AddedEvent> {
    yield { type: 'added', model: (await this.#parts.library.add(source, signal)).id };
  }

  async *#states(): AsyncGenerator<ProgressEvent> {
    yield* this.#parts.progress.states();
  }

  async #remove(model: string, signal: AbortSignal): Promise<void> {
    await this.#unload(model, signal);
    await this.#parts.library.remove(model);
  }

  async *#generate(
    job: GenerateJob,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateEvent, void, undefined> {
    await this.#bring(job.model, signal, job.autoInstall);
    yield* this.#inTurn(job, signal, (loaded) => this.#answer(job, loaded, signal));
  }

  async *#answer(
    job: GenerateJob,
    loaded: LoadedModel,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateEvent, void, undefined> {
    yield* watchdog(loaded.model.generate(job, signal));
    void this.#keepGpuRecipe(loaded);
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
    work: (loaded: LoadedModel) => AsyncIterable<GenerateEvent>,
  ): AsyncGenerator<GenerateEvent, void, undefined> {
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
      events.flatMap((event) => (IN_USE.has(event.progress.stage) ? event.progress.model : [])),
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
    const { entry, installation } = installed;
    const { modelLibrary } = installation;
    this.#report(installed, 'load', 0, 'Loading');
    const options = {
      modelLibrary,
      overrides: entry.overrides ?? {},
      needsF16: entry.source.kind === 'hub' && entry.source.needsF16,
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
      const pipelines = gpu && new ModelPipelines(gpu, await library.gpuRecipe(installed));
      try {
        const model = await library.loadVerified(installed, load, signal, onStep);
        return { installed, webllm, model, pipelines };
      } finally {
        await pipelines?.end();
      }
    });
  }

  async #keepGpuRecipe({ installed, pipelines }: LoadedModel): Promise<void> {
    const recipe = pipelines?.takeNews();
    if (recipe) await this.#parts.library.keepGpuRecipe(installed, recipe);
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
