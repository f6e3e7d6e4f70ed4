import { engineOf, withoutEvents, type Engine } from '../../core/protocol/engine.ts';
import type { EventOf, GenerateEvent } from '../../core/protocol/events.ts';
import type { GenerateJob, JobOf } from '../../core/protocol/jobs.ts';
import type { ModelMemory } from '../scheduling/model-memory.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import { Turnstile } from '../scheduling/turnstile.ts';
import type { Installer } from '../weights/installer.ts';
import { checkSchemas } from './answer-grammar.ts';
import type { ChatModel } from './chat-model.ts';
import { engineFailure } from './engine-failure.ts';
import { LoadedModels } from './loaded-models.ts';
import type { TextBackend } from './text-backend.ts';

interface Parts {
  backend: TextBackend;
  installer: Pick<Installer, 'require' | 'touch' | 'loadVerified'>;
  progress: ProgressBoard;
  memory: ModelMemory;
  /** Called if an engine or the GPU failed so that only a new worker can be trusted. */
  onBroken: () => void;
}

/** What the engine does with text models. */
export type TextModelOperation = 'generate' | 'load' | 'unload';
type ModelJob = JobOf<'generate' | 'load'>;

/** Runs the text models of this worker: as many as memory holds, one generation at a time. */
export class TextEngine implements Engine<TextModelOperation> {
  readonly #parts: Parts;
  readonly #turns = new Turnstile();
  readonly #models: LoadedModels;
  readonly #engine = engineOf<TextModelOperation>({
    generate: (job, signal) => this.#generate(job, signal),
    load: (job, signal) => withoutEvents(() => this.#load(job, signal)),
    unload: (job, signal) => withoutEvents(() => this.#unload(job.model, signal)),
  });

  constructor(parts: Parts) {
    this.#parts = parts;
    const onUnloadFailed = (error: unknown) => this.#failure(error, new AbortController().signal);
    this.#models = new LoadedModels({ ...parts, onUnloadFailed });
  }

  run<Op extends TextModelOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
  ): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }

  async *#generate(
    job: GenerateJob,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateEvent, void, undefined> {
    // Before anything that takes time: a bad schema is refused at once.
    checkSchemas(job);
    await this.#ensureInstalled(job.model, signal, job.autoInstall);
    yield* this.#withTurn(job, signal, (model) => model.generate(job, signal));
  }

  async *#load(job: JobOf<'load'>, signal: AbortSignal): AsyncGenerator<never, void, undefined> {
    await this.#ensureInstalled(job.model, signal);
    yield* this.#withTurn(job, signal, nothing);
  }

  #isWarm(job: ModelJob): boolean {
    return job.op === 'generate' && (this.#models.get(job.model)?.isWarm(job) ?? false);
  }

  /** Before the job waits for its turn: a download of gigabytes must not block others. */
  async #ensureInstalled(id: string, signal: AbortSignal, autoInstall = false): Promise<void> {
    if (this.#models.get(id)) return;
    await this.#parts.installer.require(id, signal, autoInstall);
  }

  /** Does the work when it is the job's turn, with the model in memory. */
  async *#withTurn<E>(
    job: ModelJob,
    signal: AbortSignal,
    work: (model: ChatModel) => AsyncIterable<E>,
  ): AsyncGenerator<E, void, undefined> {
    const releases: (() => void)[] = [this.#parts.memory.expect(job.model)];
    try {
      const isWarm = () => this.#isWarm(job);
      releases.unshift(await this.#turns.enter(clientOf(job), signal, isWarm));
      releases.unshift(await this.#hold(job.model, signal));
      signal.throwIfAborted();
      yield* work(this.#held(job.model));
    } catch (error) {
      throw this.#failure(error, signal);
    } finally {
      for (const release of releases) release();
    }
  }

  /** Keeps the model in memory, loading it if need be, until the returned function is called. */
  async #hold(id: string, signal: AbortSignal): Promise<() => void> {
    const { memory, installer } = this.#parts;
    const release = memory.hold(id);
    if (release) return release;
    const installed = await installer.require(id, signal);
    const loaded = await this.#models.reportFailure(id, signal, () =>
      memory.load(this.#models.loadable(installed, signal), signal),
    );
    void installer.touch(id);
    return loaded;
  }

  #held(id: string): ChatModel {
    const model = this.#models.get(id);
    if (!model) throw new Error(`The model '${id}' is held but not loaded.`);
    return model;
  }

  async #unload(id: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#parts.memory.unload(id, signal);
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  #failure(error: unknown, signal: AbortSignal): unknown {
    return engineFailure(error, signal, this.#parts.onBroken);
  }
}

/** Pages load and unload models; they have no key, so those jobs belong to no client. */
function clientOf(job: ModelJob): string {
  return job.op === 'generate' ? (job.client ?? '') : '';
}

async function* nothing(): AsyncGenerator<never> {}
