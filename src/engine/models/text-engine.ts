import { engineOf, withoutEvents, type Engine } from '../../core/port/engine.ts';
import { ApiError, EngineLost, toErrorData } from '../../core/errors/errors.ts';
import type { EventOf, GenerateEvent, TokensEvent } from '../../core/operations/events.ts';
import type { GenerateJob, JobOf, TokensJob } from '../../core/operations/jobs.ts';
import type { ModelMemory } from '../scheduling/model-memory.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import { Turnstile } from '../scheduling/turnstile.ts';
import { waitingTurn } from '../scheduling/waiting-turn.ts';
import type { LoadLog } from '../device/load-log.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import type { Installer } from '../download/installer/installer.ts';
import { checkSchemas } from '../conversation/constraint/answer-grammar.ts';
import { Arrivals } from './arrivals.ts';
import type { ChatModel } from './chat-model.ts';
import { consequenceOf, type Phase } from './failure-policy.ts';
import { LoadedModels } from './loaded-models.ts';
import { ReadingTurns } from './reading-turns.ts';
import type { TextBackend } from '../conversation/text-backend.ts';

interface Parts {
  backend: TextBackend;
  installer: Pick<Installer, 'requireModel' | 'touch' | 'loadVerified' | 'variantOf'>;
  progress: ProgressBoard;
  memory: ModelMemory;
  /** What went wrong with models on this device. */
  loads: Pick<LoadLog, 'check' | 'during' | 'noteAnswer' | 'noteGpuError' | 'noteMemoryError'>;
  /** Called if an engine or the GPU failed so that only a new worker can be trusted. */
  onBroken: () => void;
}

/** What the engine does with text models. */
export type TextModelOperation = 'generate' | 'tokens' | 'load' | 'unload';
type ModelJob = JobOf<'generate' | 'tokens' | 'load'>;

/** Runs the text models of this worker: as many as memory holds, one generation at a time. */
export class TextEngine implements Engine<TextModelOperation> {
  readonly #parts: Parts;
  readonly #turns = new Turnstile();
  readonly #models: LoadedModels;
  readonly #arrivals: Arrivals;
  /** What the models in memory were loaded from. */
  readonly #installed = new Map<string, InstalledModel>();
  readonly #engine = engineOf<TextModelOperation>({
    generate: (job, signal) => this.#awaiting(job, this.#generate(job, signal)),
    tokens: (job, signal) => this.#awaiting(job, this.#tokens(job, signal)),
    load: (job, signal) => this.#awaiting(job, this.#load(job, signal)),
    unload: (job, signal) => withoutEvents(() => this.#unload(job.model, signal)),
  });

  constructor(parts: Parts) {
    this.#parts = parts;
    const onUnloadFailed = (installed: InstalledModel, error: unknown) =>
      this.#consequence(installed, error, 'unload');
    this.#models = new LoadedModels({ ...parts, onUnloadFailed });
    this.#arrivals = new Arrivals(parts);
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
    await this.#ensureInstalled(job, signal);
    const told = job.tellsReading
      ? (before: number): GenerateEvent => ({ type: 'queued', before })
      : undefined;
    const turns = new ReadingTurns(() => this.#turns.isWanted);
    const generate = (model: ChatModel) => model.generate(job, signal, turns);
    yield* this.#withTurn(job, signal, generate, { queued: told, turns });
  }

  async *#tokens(
    job: TokensJob,
    signal: AbortSignal,
  ): AsyncGenerator<TokensEvent, void, undefined> {
    await this.#ensureInstalled(job, signal);
    // A model in memory can tell its tokens while it generates.
    const release = this.#parts.memory.hold(job.model);
    if (!release) return yield* this.#withTurn(job, signal, (model) => [model.tokens(job)]);
    try {
      yield await this.#held(job.model).tokens(job);
    } finally {
      release();
    }
  }

  async *#load(job: JobOf<'load'>, signal: AbortSignal): AsyncGenerator<never, void, undefined> {
    await this.#ensureInstalled(job, signal);
    yield* this.#withTurn(job, signal, nothing);
  }

  #isWarm(job: ModelJob): boolean {
    return job.op === 'generate' && (this.#models.get(job.model)?.isWarm(job) ?? false);
  }

  /** Before the job waits for its turn: a download of gigabytes must not block others. */
  async #ensureInstalled(job: ModelJob, signal: AbortSignal): Promise<void> {
    const { model: id, autoInstall } = job;
    if (this.#models.get(id)) return;
    if (job.op === 'generate') this.#arrivals.expect(job);
    const receive = (model: InstalledModel) => this.#arrivals.receive(model, job);
    await this.#parts.installer.requireModel(id, signal, autoInstall, receive);
  }

  /** What was downloaded into memory for a job is dropped if the job ends without loading it. */
  async *#awaiting<E>(job: ModelJob, events: AsyncIterable<E>): AsyncGenerator<E, void, undefined> {
    try {
      yield* events;
    } finally {
      this.#arrivals.drop(job.model, job);
    }
  }

  /**
   * Does the work when it is the job's turn, with the model in memory.
   *
   * @param queued - the event of a job that waits; undefined: none is wanted
   * @param turns - undefined: the work is done in one turn
   */
  async *#withTurn<E>(
    job: ModelJob,
    signal: AbortSignal,
    work: (model: ChatModel) => AsyncIterable<E> | Iterable<E>,
    { queued, turns }: { queued?: ((before: number) => E) | undefined; turns?: ReadingTurns } = {},
  ): AsyncGenerator<E, void, undefined> {
    const releases: (() => void)[] = [this.#parts.memory.expect(job.model)];
    try {
      releases.unshift(yield* waitingTurn((onPlace) => this.#enter(job, signal, onPlace), queued));
      for (;;) {
        releases.unshift(await this.#hold(job, signal));
        signal.throwIfAborted();
        yield* this.#guarded(job.model, signal, work(this.#held(job.model)));
        if (!turns?.needsAnother) break;
        const [release = nothing, leave = nothing] = releases.splice(0, 2);
        release();
        releases.unshift(await this.#turns.makeWay(clientOf(job), leave, signal));
      }
      if (job.op === 'generate') await this.#noteAnswer(job.model);
    } finally {
      for (const release of releases) release();
    }
  }

  async *#guarded<E>(
    id: string,
    signal: AbortSignal,
    events: AsyncIterable<E> | Iterable<E>,
  ): AsyncGenerator<E, void, undefined> {
    try {
      yield* events;
    } catch (error) {
      const installed = this.#installed.get(id);
      throw installed ? await this.#failure(installed, error, 'answer', signal) : error;
    }
  }

  #enter(
    job: ModelJob,
    signal: AbortSignal,
    onPlace?: (before: number) => void,
  ): Promise<() => void> {
    return this.#turns.enter(clientOf(job), signal, {
      isWarm: () => this.#isWarm(job),
      // Another model might need the memory of the one that is read with.
      mayInterrupt: () => job.op === 'generate' && this.#models.get(job.model) !== undefined,
      onPlace,
    });
  }

  /** Keeps the model in memory, loading it if need be, until the returned function is called. */
  async #hold(job: ModelJob, signal: AbortSignal): Promise<() => void> {
    const { memory, installer } = this.#parts;
    const id = job.model;
    const release = memory.hold(id);
    if (release) return release;
    const loaded = await this.#models.reportFailure(id, signal, () => this.#loadModel(job, signal));
    void installer.touch(id);
    return loaded;
  }

  /** Loads the model and holds it; with a shorter context if memory does not suffice. */
  async #loadModel(job: ModelJob, signal: AbortSignal): Promise<() => void> {
    const { memory, installer, loads } = this.#parts;
    const installed = await installer.requireModel(job.model, signal);
    await loads.check(installed, job);
    this.#installed.set(job.model, installed);
    this.#arrivals.land(job.model);
    try {
      return await memory.load(this.#models.loadable(installed, signal), signal);
    } catch (error) {
      if (!(await loads.noteMemoryError(installed, error))) {
        throw await this.#failure(installed, error, 'load', signal);
      }
      return this.#loadModel(job, signal);
    }
  }

  #held(id: string): ChatModel {
    const model = this.#models.get(id);
    if (!model) throw new Error(`The model '${id}' is held but not loaded.`);
    return model;
  }

  async #unload(id: string, signal: AbortSignal): Promise<void> {
    await this.#parts.memory.unload(id, signal);
  }

  async #noteAnswer(id: string): Promise<void> {
    const installed = this.#installed.get(id);
    if (installed) await this.#parts.loads.noteAnswer(installed);
  }

  /** What to throw for an error of a model. If its GPU is given up, the job begins again without it. */
  async #failure(
    installed: InstalledModel,
    error: unknown,
    phase: Phase,
    signal: AbortSignal,
  ): Promise<unknown> {
    // Whatever a cancelled job is told is expected, but a model that hangs does so for the next one too.
    if (signal.aborted && !(error instanceof ApiError)) return error;
    const { loads, installer, onBroken } = this.#parts;
    if (!signal.aborted && (await loads.noteGpuError(installed, error))) {
      const next = await installer.variantOf(installed.entry.id);
      if (next.id !== installed.variant.id) {
        onBroken();
        return brokenBy(error);
      }
    }
    return this.#consequence(installed, error, phase);
  }

  /** Does to the model and the engine what their policy says. @returns what to throw */
  #consequence({ entry, variant }: InstalledModel, error: unknown, phase: Phase): unknown {
    if (error instanceof EngineLost) return error;
    const { task, id } = entry;
    switch (consequenceOf({ task, engine: variant.engine }, error, phase)) {
      case 'engine replaced':
        this.#parts.onBroken();
        // A new worker has no more memory than this one, so the job is not repeated.
        return toErrorData(error).code === 'out_of_memory' ? error : brokenBy(error);
      case 'model dropped':
      case 'worker replaced':
        this.#parts.memory.forget(id);
        this.#models.drop(id, toErrorData(error).message);
        return error;
      case 'request failed':
        return error;
    }
  }
}

function brokenBy(error: unknown): EngineLost {
  return new EngineLost(toErrorData(error), { broke: true, cause: error });
}

/** Pages load and unload models; they have no key, so those jobs belong to no client. */
function clientOf(job: ModelJob): string {
  return job.op === 'load' ? '' : (job.client ?? '');
}

function nothing(): Iterable<never> {
  return [];
}
