import {
  WarmConversations,
  type PrefillStart,
  type Written,
} from '../../models/warm-conversations.ts';
import type { ImageTokens } from './image-tokens.ts';
import type { Llama } from './llama.ts';
import { requireIntact } from './llama-error.ts';

/**
 * How many conversations stay in memory at once, if there is room: each prompt is compared with all of them. For
 * SmolLM2 with 8,192 tokens, llama.cpp can address 22; each reserves 195 MB, and uses 6.5 MB of it for 64 tokens.
 */
const MOST = 32;

/** The part of llama.cpp that KV caches need. */
export type KvLlama = Pick<Llama, 'newContext' | 'contextBytes' | 'keep' | 'copy' | 'stopTokenIds'>;
/** The part of `ImageTokens` that KV caches need. */
export type KvTokens = Pick<ImageTokens, 'tokens' | 'position' | 'wholeLength'>;

/** Where a prefill begins. */
export interface Prefill {
  /** Number of llama.cpp's context. */
  context: number;
  /** The whole prompt. */
  tokens: readonly number[];
  /** How many of these tokens the context's KV cache holds. Always fewer than all. */
  kept: number;
  /** To be called after the generation, with the content of the KV cache; undefined: unknown. */
  end: (written: Written | undefined) => void;
}

/** The KV caches of one model, each with a conversation. */
export class KvContexts {
  readonly #llama: KvLlama;
  readonly #tokens: KvTokens;
  readonly #contextLength: number;
  readonly #conversations: WarmConversations;
  readonly #contexts: number[];
  /** The maximum number of contexts; lowered when there is no memory for another. */
  #most = MOST;

  /**
   * Makes the first context.
   *
   * @param contextLength - tokens
   * @throws LlamaError if there is no memory for it
   */
  constructor(llama: KvLlama, tokens: KvTokens, contextLength: number) {
    this.#llama = llama;
    this.#tokens = tokens;
    this.#contextLength = contextLength;
    this.#conversations = new WarmConversations(MOST, {
      contextLength,
      stopTokenIds: llama.stopTokenIds,
      canCopy: true,
      encode: (text) => tokens.tokens(text),
    });
    this.#contexts = [llama.newContext(contextLength)];
  }

  /** Number of the context that was made first. */
  get first(): number {
    return this.#at(0);
  }

  get count(): number {
    return this.#contexts.length;
  }

  /** Memory of each context, bytes. */
  get bytesEach(): number {
    return this.#llama.contextBytes(this.first);
  }

  /** The texts in the KV caches. */
  get texts(): string[] {
    return this.#conversations.texts;
  }

  /** The tokens in the KV caches. */
  get tokens(): number[] {
    return this.#conversations.tokens;
  }

  /**
   * Chooses the context for a prompt.
   *
   * @param mayAdd - whether there may be one more context than now
   * @param shared - see Generation
   */
  start(
    prompt: string,
    promptTokens: readonly number[],
    mayAdd: boolean,
    shared?: number,
  ): Prefill {
    this.#conversations.limit(mayAdd ? this.#most : this.count);
    let start = this.#conversations.start(prompt, promptTokens, shared);
    if (start.cache === this.count && !this.#add()) {
      this.#conversations.forget(start.cache);
      this.#conversations.limit(this.count);
      start = this.#conversations.start(prompt, promptTokens, shared);
    }
    const { cache, tokens } = start;
    const end = (written: Written | undefined) =>
      written ? this.#conversations.remember(cache, written) : this.#conversations.forget(cache);
    return { context: this.#at(cache), tokens, kept: this.#bring(start), end };
  }

  /** Makes a KV cache hold only tokens that the prompt begins with. @returns how many */
  #bring({ cache, copyOf, kept: common, tokens }: PrefillStart): number {
    const context = this.#at(cache);
    const kept = this.#tokens.wholeLength(tokens, common);
    // Not emptied: the KV cache may hold the beginning of this very prompt, computed while the model was loaded.
    if (kept === 0) return 0;
    try {
      if (copyOf !== undefined) this.#llama.copy(this.#at(copyOf), context);
      return this.#llama.keep(context, this.#tokens.position(tokens, kept)) ? kept : 0;
    } catch (error) {
      // There may be no memory for a copy; the contexts still work.
      requireIntact(error);
      this.#llama.keep(context, 0);
      return 0;
    }
  }

  /** @returns whether there is one more now */
  #add(): boolean {
    try {
      this.#contexts.push(this.#llama.newContext(this.#contextLength));
      return true;
    } catch (error) {
      // There may be no memory for it; the other contexts still work.
      requireIntact(error);
      this.#most = this.count;
      return false;
    }
  }

  #at(cache: number): number {
    const context = this.#contexts[cache];
    if (context === undefined) throw new Error(`There is no KV cache ${cache}.`);
    return context;
  }
}
