import { serverError } from '../../../core/errors/errors.ts';
import { ModelLost } from '../../road/failure-policy.ts';
import { withMaskedTokens } from '../../conversation/sampling/masked-tokens.ts';
import type { EmitRaw, Generation, TextModel, Tokenizer } from '../../conversation/text-model.ts';
import { isWarm } from '../../models/warm-conversations.ts';
import type { LoadRequest } from '../../conversation/text-backend.ts';
import type { Generate, LoadedModel } from '../messages.ts';
import type { ModelWorker } from './model-worker.ts';
import { RunningGeneration } from './running-generation.ts';
import { TokenTexts } from './token-texts.ts';
import { GpuLost, WorkerLost } from './worker-lost.ts';

/** This many conversations may fill the memory. Further ones leave room for another model: it would unload this one. */
const FEW_CACHES = 8;
/** How many workers one answer may lose. A second loss is not a coincidence. */
const MOST_LOSSES = 1;

interface Options {
  /** Starts a worker and loads the model into it. */
  open: () => Promise<ModelWorker>;
  /** Notes that a worker's GPU has failed. The next worker may use the CPU; at the latest, the one after it does. */
  onGpuLost: (error: GpuLost) => Promise<void>;
  facts: Pick<LoadedModel, 'cacheBytes' | 'stripsFirstSpace' | 'together'>;
  /** Whether the model has a projector; undefined: no. */
  sees?: boolean;
  /** See LoadRequest. */
  canAllocate: LoadRequest['canAllocate'];
}

/**
 * A model of llama.cpp, in a worker of its own. If the worker breaks or is killed, another one takes its place
 * and continues the answer at the same token.
 */
export class LlamaCppModel implements TextModel {
  readonly keepsReading = true;
  readonly sees: boolean;
  readonly #options: Options;
  #worker: ModelWorker;
  /** The worker that will replace one that has ended. */
  #next: Promise<ModelWorker> | undefined;
  #isUnloaded = false;
  /** How many generations run. */
  #running = 0;
  /** Whether there may be one more KV cache than there was when the last generation began. */
  #mayAddCache = true;

  /** @param worker - has the model loaded */
  constructor(worker: ModelWorker, options: Options) {
    this.#worker = worker;
    this.#options = options;
    this.sees = options.sees === true;
  }

  async generate(
    prompt: string,
    generation: Generation,
    signal: AbortSignal,
    emit: EmitRaw,
  ): Promise<void> {
    this.#running++;
    try {
      const request = {
        prompt,
        generation: withMask(generation),
        ...(await this.#room(generation)),
      };
      await this.#generate(request, signal, new RunningGeneration(generation.hidden, emit));
    } finally {
      this.#running--;
    }
  }

  async #generate(
    request: Omit<Generate, 'written'>,
    signal: AbortSignal,
    generation: RunningGeneration,
  ): Promise<void> {
    for (let losses = 0; ;) {
      try {
        const worker = await this.#living();
        signal.throwIfAborted();
        const { written } = generation;
        const { done, stop } = worker.generate({ ...request, written }, signal, (event) =>
          generation.take(event),
        );
        generation.onInterrupt(stop);
        return await done;
      } catch (error) {
        if (!(error instanceof WorkerLost)) throw error;
        if (signal.aborted) throw lost(error);
        if (error instanceof GpuLost) await this.#options.onGpuLost(error);
        else if (losses++ === MOST_LOSSES) throw lost(error);
      }
    }
  }

  /** How many generations can have a KV cache each. */
  get together(): number {
    const { together } = this.#options.facts;
    return this.#mayAddCache ? together : Math.min(together, this.#worker.warm.caches);
  }

  /** What may take more memory than now. */
  async #room({ caching }: Generation) {
    const { canAllocate, facts } = this.#options;
    const { caches, snapshotBytes } = this.#worker.warm;
    const hasMany = caches >= FEW_CACHES;
    // Others that run may add one each, which the worker tells when they end.
    const mayAddCache = await canAllocate(this.#running * facts.cacheBytes, hasMany);
    this.#mayAddCache = mayAddCache;
    if (!caching?.breakpoints?.length) return { mayAddCache };
    const most = facts.cacheBytes - snapshotBytes + (mayAddCache ? facts.cacheBytes : 0);
    return { mayAddCache, mayGrowSnapshots: await canAllocate(most, hasMany) };
  }

  forget(request: number): void {
    this.#worker.forget(request);
  }

  isWarm(prompt: string): boolean {
    return !this.#worker.isEnded && isWarm(this.#worker.warm.texts, prompt);
  }

  get extraBytes(): number {
    const { caches, snapshotBytes } = this.#worker.warm;
    return (caches - 1) * this.#options.facts.cacheBytes + snapshotBytes;
  }

  /** Does nothing: WebAssembly's memory never shrinks, and only the end of the worker frees it. */
  releaseExtra(): void {}

  unload(): Promise<void> {
    this.#isUnloaded = true;
    this.#worker.end();
    return Promise.resolve();
  }

  get tokenizer(): Tokenizer {
    return {
      encode: async (text, images) => this.#orLost((worker) => worker.encode(text, images)),
      decode: async (ids) => (await this.vocabulary()).text(ids),
      pieces: async (ids) => {
        const texts = await this.vocabulary();
        // Tokens of images have no text.
        return ids.map((id) => (id < 0 ? '' : texts.piece(id)));
      },
    };
  }

  /** The bytes of the model's tokens. */
  async vocabulary(): Promise<TokenTexts> {
    const table = await this.#orLost((worker) => worker.vocabulary());
    return new TokenTexts(table, this.#options.facts.stripsFirstSpace);
  }

  /** @throws ModelLost if the worker is lost */
  async #orLost<T>(ask: (worker: ModelWorker) => Promise<T>): Promise<T> {
    try {
      return await ask(await this.#living());
    } catch (error) {
      throw error instanceof WorkerLost ? lost(error) : error;
    }
  }

  /** Returns the worker, or a new one if it has ended. */
  async #living(): Promise<ModelWorker> {
    if (!this.#worker.isEnded) return this.#worker;
    this.#next ??= this.#options.open().finally(() => (this.#next = undefined));
    this.#worker = await this.#next;
    if (this.#isUnloaded) this.#worker.end();
    return this.#worker;
  }
}

function withMask(generation: Generation): Generation {
  const { sampling, constraint, hidden } = generation;
  if (!constraint || !hidden) return generation;
  return { ...generation, sampling: withMaskedTokens(sampling, hidden.keys()) };
}

function lost({ message }: WorkerLost): ModelLost {
  return new ModelLost(serverError('engine_error', message).data);
}
