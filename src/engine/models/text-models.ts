import { ApiError, EngineLost, toErrorData } from '../../core/errors/errors.ts';
import type {
  DecideEvent,
  GenerateEvent,
  TokensEvent,
} from '../../core/operations/events/events.ts';
import type { DecideJob, GenerateJob, JobOf, TokensJob } from '../../core/operations/jobs/jobs.ts';
import type { ModelMemory } from '../scheduling/model-memory.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import { Turnstile, type Queued } from '../scheduling/turnstile.ts';
import type { LoadLog } from '../device/load-log.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import type { Installer } from '../download/installer/installer.ts';
import { checkSchemas } from '../conversation/constraint/answer-grammar.ts';
import type { TextBackend } from '../conversation/text-backend.ts';
import { Arrivals } from './arrivals.ts';
import type { ChatModel } from './chat-model.ts';
import { Deciding } from './decider.ts';
import { consequenceOf, type Phase } from '../road/failure-policy.ts';
import { LoadedModels, type LoadingServices } from './loaded-models.ts';
import { ReadingTurns } from './reading-turns.ts';

interface TextModelServices {
  backend: TextBackend;
  installer: Pick<Installer, 'requireModel' | 'touch' | 'loadVerified' | 'variantOf'>;
  progress: ProgressBoard;
  memory: ModelMemory;
  /** What went wrong with models on this device. */
  loads: Pick<LoadLog, 'check' | 'noteAnswer' | 'noteGpuError' | 'noteMemoryError'> &
    LoadingServices['loads'];
  /** Called if an engine or the GPU failed so that only a new worker can be trusted. */
  onBroken: () => void;
}

type ModelJob = JobOf<'generate' | 'decide' | 'tokens' | 'load'>;
type Next = () => Promise<void>;

/** What the stages of text models read and write. */
interface TextContext {
  job: ModelJob;
  readonly signal: AbortSignal;
  installed?: InstalledModel;
  /** The model in memory. */
  model?: ChatModel;
  /** Whether the job needs another turn; undefined: it is done in one. */
  turns?: { readonly needsAnother: boolean };
  /** Called with the number of requests before this one; undefined: not wanted. */
  onPlace?: (before: number) => void;
}

type AnswerContext = TextContext & {
  job: GenerateJob;
  emit: (event: GenerateEvent) => void;
  turns?: ReadingTurns;
};
type DecideContext = TextContext & {
  job: DecideJob;
  emit: (event: DecideEvent) => void;
  turns?: Deciding;
};

/**
 * The text models of this worker, as many as memory holds, and the stages of their jobs. One generates at a time: one
 * answer, or several if the model can.
 */
export class TextModels {
  readonly #parts: TextModelServices;
  readonly #turns = new Turnstile();
  readonly #models: LoadedModels;
  readonly #arrivals: Arrivals;
  /** What the models in memory were loaded from. */
  readonly #installed = new Map<string, InstalledModel>();

  constructor(parts: TextModelServices) {
    this.#parts = parts;
    const onUnloadFailed = (installed: InstalledModel, error: unknown) =>
      this.#consequence(installed, error, 'unload');
    this.#models = new LoadedModels({ ...parts, onUnloadFailed });
    this.#arrivals = new Arrivals(parts);
  }

  /** Refuses a bad schema before anything that takes time, and decides how the prompt is read. */
  readonly checked = async (context: AnswerContext, next: Next): Promise<void> => {
    const { job, emit } = context;
    checkSchemas(job);
    context.turns = new ReadingTurns(() => this.#turns.isWanted);
    // Whoever repeats lost jobs has to know which of them waited.
    if (job.tellsReading || job.checkpoints) {
      context.onPlace = (before) => emit({ type: 'queued', before });
    }
    await next();
  };

  /** Questions are read in turns: so are other requests answered meanwhile. */
  readonly inTurns = async (context: DecideContext, next: Next): Promise<void> => {
    context.turns = new Deciding(() => this.#turns.isWanted);
    await next();
  };

  /**
   * Chooses the variant, and downloads it if the job allows that. This comes before the job waits for its turn, because
   * a download of gigabytes must not block others. If the job ends before the model is loaded, the part that is already
   * in memory is dropped.
   */
  readonly installed = async (context: TextContext, next: Next): Promise<void> => {
    const { job, signal } = context;
    const { model: id, autoInstall } = job;
    try {
      if (!this.#models.get(id)) {
        if (job.op === 'generate') this.#arrivals.expect(job);
        const receive = (model: InstalledModel) => this.#arrivals.receive(model, job);
        await this.#parts.installer.requireModel(id, signal, autoInstall, receive);
      }
      await next();
    } finally {
      this.#arrivals.drop(id, job);
    }
  };

  /** Waits for the job's turn; for several turns if its prompt is long and other requests wait. */
  readonly turn = async (context: TextContext, next: Next): Promise<void> => {
    const { job, signal, onPlace } = context;
    const { memory } = this.#parts;
    // A model in memory can tokenize while it generates.
    const held = job.op === 'tokens' ? memory.hold(job.model) : undefined;
    const release = held ?? memory.expect(job.model);
    let leave: (() => void) | undefined;
    try {
      let hasWaited = false;
      const onWait = (before: number) => {
        hasWaited = true;
        onPlace?.(before);
      };
      if (!held) leave = await this.#enter(job, signal, onPlace && onWait);
      if (hasWaited && 'checkpoints' in job) onPlace?.(0);
      await next();
      while (leave && context.turns?.needsAnother) {
        leave = await this.#turns.makeWay(clientOf(job), leave, signal, this.#sharing(job));
        await next();
      }
    } finally {
      if (job.op !== 'load') this.#models.get(job.model)?.forget(job);
      leave?.();
      release();
    }
  };

  /** Loads the model if necessary, keeps it in memory during the job, and handles its errors. */
  readonly memory = async (context: TextContext, next: Next): Promise<void> => {
    const { job, signal } = context;
    const release = await this.#hold(job, signal);
    const installed = this.#installed.get(job.model);
    try {
      signal.throwIfAborted();
      const model = this.#models.get(job.model);
      if (!model || !installed) throw new Error(`The model '${job.model}' is held but not loaded.`);
      context.model = model;
      context.installed = installed;
      await next();
    } catch (error) {
      throw installed ? await this.#failure(installed, error, 'answer', signal) : error;
    } finally {
      release();
    }
  };

  /** Writes the answer, or reads a part of its prompt. */
  readonly answer = async (context: AnswerContext): Promise<void> => {
    const { job, signal, emit, turns, installed } = context;
    await context.model?.generate(job, signal, emit, turns);
    if (installed && !turns?.needsAnother) await this.#parts.loads.noteAnswer(installed);
  };

  /** Computes decisions, or some of their questions. */
  readonly decide = async ({ job, signal, emit, turns, model }: DecideContext): Promise<void> => {
    const event = turns && (await model?.decide(job, turns, signal));
    if (event) emit(event);
  };

  /** Tells a prompt's tokens. */
  readonly tokens = async ({
    job,
    emit,
    model,
  }: TextContext & { job: TokensJob; emit: (event: TokensEvent) => void }): Promise<void> => {
    if (model) emit(await model.tokens(job));
  };

  async unload(id: string, signal: AbortSignal): Promise<void> {
    await this.#parts.memory.unload(id, signal);
  }

  #enter(
    job: ModelJob,
    signal: AbortSignal,
    onPlace: ((before: number) => void) | undefined,
  ): Promise<() => void> {
    return this.#turns.enter(clientOf(job), signal, {
      isWarm: () => job.op === 'generate' && (this.#models.get(job.model)?.isWarm(job) ?? false),
      // Only for a model in memory: loading one might take the memory of the model whose prompt is being read.
      mayInterrupt: () => job.op === 'generate' && this.#models.get(job.model) !== undefined,
      onPlace,
      ...this.#sharing(job),
    });
  }

  /** Answers of a model may be written at once. Measurements, which have no client, are taken alone. */
  #sharing(job: ModelJob): Pick<Queued, 'group' | 'most'> {
    if (job.op !== 'generate' || job.client === undefined) return {};
    return { group: job.model, most: () => this.#models.get(job.model)?.together ?? 1 };
  }

  /** Keeps the model in memory, loading it if need be, until the returned function is called. */
  async #hold(job: ModelJob, signal: AbortSignal): Promise<() => void> {
    const { memory, installer } = this.#parts;
    const id = job.model;
    const release = memory.hold(id);
    if (release) return release;
    const loaded = await this.#models.reportFailure(id, signal, () => this.#load(job, signal));
    void installer.touch(id);
    this.#turns.admit();
    return loaded;
  }

  /**
   * Loads the model and holds it; with a shorter context if memory does not suffice. While the job waited, the model
   * may have been removed or have failed here, so the variant is chosen only now.
   */
  async #load(job: ModelJob, signal: AbortSignal): Promise<() => void> {
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
      return this.#load(job, signal);
    }
  }

  /** Handles a model's error. If the model gives up the GPU, the job begins again without it. @returns what to throw */
  async #failure(
    installed: InstalledModel,
    error: unknown,
    phase: Phase,
    signal: AbortSignal,
  ): Promise<unknown> {
    // A cancelled job's own error is expected. But an ApiError, e.g. of a model that hangs, would hit the next job too.
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

  /** Applies the failure policy to the model and the engine. @returns what to throw */
  #consequence({ entry, variant }: InstalledModel, error: unknown, phase: Phase): unknown {
    if (error instanceof EngineLost) return error;
    const { task, id } = entry;
    switch (consequenceOf({ task, engine: variant.engine }, error, phase)) {
      case 'engine replaced':
        this.#parts.onBroken();
        // A new worker has no more memory than this one, and would hang as long: such jobs are not repeated.
        return ENDING.has(toErrorData(error).code) ? error : brokenBy(error);
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

/** Codes of failures that the same job would have again in a new engine worker. */
const ENDING = new Set<string | null>(['out_of_memory', 'timeout']);

function brokenBy(error: unknown): EngineLost {
  return new EngineLost(toErrorData(error), { broke: true, cause: error });
}

/** Pages load and unload models; they have no key, so those jobs belong to no client. */
function clientOf(job: ModelJob): string {
  return job.op === 'load' ? '' : (job.client ?? '');
}
