import type { PromptDisk } from '../../../../core/operations/jobs/job-parts.ts';
import type { Caching } from '../../../conversation/text-model.ts';
import { LEAST_KEPT, type KeptPrompts } from '../../../kept-prompts/kept-prompts.ts';
import { PIECE } from '../../../kept-prompts/prompt-folder.ts';
import type { KeptPrompt, StateOf } from '../../../kept-prompts/prompts-database.ts';
import type { Prefill } from '../kv-contexts.ts';
import { GpuFailure } from '../gpu/gpu-failure.ts';
import type { KeptPlace } from './kept-places.ts';
import { LlamaError, requireIntact } from '../llama-error.ts';
import type { Llama } from '../llama.ts';

type StateLlama = Pick<
  Llama,
  'beginPutting' | 'beginTaking' | 'endPutting' | 'goesBack' | 'keep' | 'put' | 'take'
>;

/** The part of `KeptPrompts` that a model's worker needs. */
export type PromptStore = Pick<KeptPrompts, 'find' | 'keep' | 'read' | 'renew'>;

interface KeptStatesParts {
  llama: StateLlama;
  store: PromptStore;
  /** The model and the build. The type of its KV cache depends on nothing else. */
  of: StateOf;
  /** Waits until what llama.cpp gives is in the module's memory. */
  settled: () => void | Promise<void>;
  /** Told of failures after which the model still answers. */
  warn: (error: unknown) => void;
}

/** The prompts of one model whose KV states are on disk. Without room, or with a damaged disk, prompts are computed. */
export class KeptStates {
  readonly #parts: KeptStatesParts;
  /** Whether something could not be kept. Then nothing is computed again in order to keep it. */
  #isFull = false;

  constructor(parts: KeptStatesParts) {
    this.#parts = parts;
  }

  /**
   * Lets a prefill begin after the longest prompt on disk that it goes beyond.
   *
   * @param places - those that are wanted on disk are kept, or kept for longer
   */
  async begin(prefill: Prefill, caching: Caching, places: readonly KeptPlace[]): Promise<void> {
    const { disk, request, breakpoints = [] } = caching;
    // A request that shares nothing reads nothing, either, unless it has breakpoints itself.
    if (!disk || (request !== undefined && breakpoints.length === 0)) return;
    const { store, of } = this.#parts;
    const found = await this.#try(() => store.find(of, disk.owner, prefill.tokens));
    if (found && found.tokens > prefill.kept) {
      prefill.kept = await this.#restore(found, prefill.context);
    }
    await this.#keepAgain(prefill, disk, places);
  }

  /**
   * Keeps a context's state.
   *
   * @param tokens - what its KV cache holds
   * @returns whether it is on disk and was not before
   */
  async keep(
    context: number,
    tokens: readonly number[],
    hours: number,
    disk: PromptDisk,
  ): Promise<boolean> {
    if (!isKeepable(tokens)) return false;
    const { llama, store, of, settled } = this.#parts;
    const isNew = await this.#try(async () => {
      if (await store.renew(of, disk.owner, tokens, hours)) return false;
      const bytes = llama.beginTaking(context);
      const isKept = await store.keep({ of, ...disk, tokens, bytes, hours }, () =>
        llama.take(PIECE, settled),
      );
      this.#isFull = !isKept;
      return isKept;
    });
    this.#isFull ||= isNew === undefined;
    return isNew === true;
  }

  /**
   * Keeps places on disk that memory holds already: they were only wanted in memory before, or deleted from the disk. If
   * the KV cache holds more than that, the rest is computed again.
   */
  async #keepAgain(
    prefill: Prefill,
    disk: PromptDisk,
    places: readonly KeptPlace[],
  ): Promise<void> {
    const { llama, store, of } = this.#parts;
    const { context, tokens } = prefill;
    for (const { at, hours } of places) {
      const wanted = tokens.slice(0, at);
      if (hours === 0 || at > prefill.kept || !isKeepable(wanted)) continue;
      const isKept = await this.#try(() => store.renew(of, disk.owner, wanted, hours));
      if (isKept !== false || this.#isFull) continue;
      if (at < prefill.kept) {
        if (!llama.goesBack) continue;
        prefill.kept = llama.keep(context, at) ? at : 0;
      }
      if (prefill.kept === at) await this.keep(context, wanted, hours, disk);
      // What comes after it is kept when it has been read.
      return;
    }
  }

  /** @returns how many tokens the KV cache holds */
  async #restore(kept: KeptPrompt, context: number): Promise<number> {
    const { llama, store } = this.#parts;
    const restored = await this.#try(async () => {
      llama.beginPutting(context);
      for await (const piece of store.read(kept)) llama.put(piece);
      return llama.endPutting();
    });
    if (restored === kept.tokens) return restored;
    llama.beginPutting(context);
    return 0;
  }

  /** @returns undefined if it failed and the model can go on */
  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isOfEngine(error)) requireIntact(error);
      this.#parts.warn(error);
      return undefined;
    }
  }
}

function isOfEngine(error: unknown): boolean {
  return (
    error instanceof LlamaError ||
    error instanceof GpuFailure ||
    error instanceof WebAssembly.RuntimeError
  );
}

/** Whether a prompt is worth a file. The tokens of images mean nothing to another worker. */
function isKeepable(tokens: readonly number[]): boolean {
  return tokens.length >= LEAST_KEPT && tokens.every((token) => token >= 0);
}
