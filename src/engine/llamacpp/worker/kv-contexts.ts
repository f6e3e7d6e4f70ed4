import {
  WarmConversations,
  type PrefillStart,
  type Written,
} from '../../models/warm-conversations.ts';
import type { CacheWrites } from '../../../core/operations/prompt-caching.ts';
import type { Caching } from '../../conversation/text-model.ts';
import type { ImageTokens } from './prompts/image-tokens.ts';
import type { Llama } from './llama.ts';
import { requireIntact } from './llama-error.ts';
import { Snapshots, type NewContext, type SnapshotLlama } from './snapshots.ts';

/**
 * How many conversations stay in memory at once, if there is room: each prompt is compared with all of them. For
 * SmolLM2 with 8,192 tokens, llama.cpp can address 22; each reserves 195 MB, and uses 6.5 MB of it for 64 tokens.
 */
const MOST = 32;

/** The part of llama.cpp that KV caches need. */
export type KvLlama = SnapshotLlama &
  Pick<Llama, 'goesBack' | 'keep' | 'newContext' | 'stopTokenIds'>;
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
  /**
   * To be called when the KV cache holds exactly this many of the tokens: keeps a copy of it.
   *
   * @param isLong - whether it is wanted on disk, too
   * @param isOnDisk - whether it is there, and was not before
   */
  snapshot: (tokens: number, isLong: boolean, isOnDisk: boolean) => Promise<void>;
  /** To be called when the KV cache has grown to this many of the tokens: other prompts may take a copy of them. */
  hold: (tokens: number) => void;
  /** The tokens that were computed and are in new copies. */
  writes: CacheWrites;
  /** To be called after the generation, with the content of the KV cache; undefined: unknown. */
  end: (written: Written | undefined) => void;
}

/** How a prompt uses the KV caches. */
export interface Reuse {
  /** Whether there may be one more context than now. */
  mayAdd: boolean;
  /** Whether copies at breakpoints may take more memory than now; undefined: no. */
  mayGrow?: boolean | undefined;
  /** See Generation. */
  shared?: number | undefined;
  caching?: Caching | undefined;
}

/** The KV caches of one model, each with a conversation, and the copies at breakpoints. */
export class KvContexts {
  readonly #llama: KvLlama;
  readonly #tokens: KvTokens;
  readonly #contextLength: number;
  readonly #newContext: NewContext;
  readonly #conversations: WarmConversations;
  readonly #contexts: number[];
  readonly #snapshots: Snapshots;
  /** The tokens of the prompts whose answers are under way, by KV cache. */
  readonly #busy = new Map<number, readonly number[]>();
  /** Resolves when a KV cache is not busy any more. */
  #freed = Promise.withResolvers<void>();
  /** The maximum number of contexts; lowered when there is no memory for another. */
  #most = MOST;

  /**
   * Makes the first context.
   *
   * @param contextLength - tokens
   * @param newContext - makes the further ones
   * @throws LlamaError if there is no memory for it
   */
  constructor(
    llama: KvLlama,
    tokens: KvTokens,
    contextLength: number,
    newContext: NewContext = (length) => llama.newContext(length),
  ) {
    this.#llama = llama;
    this.#tokens = tokens;
    this.#contextLength = contextLength;
    this.#newContext = newContext;
    this.#conversations = new WarmConversations(MOST, {
      contextLength,
      stopTokenIds: llama.stopTokenIds,
      canCopy: true,
      canCut: llama.goesBack,
      encode: (text) => tokens.tokens(text),
      isBusy: (cache) => this.#busy.has(cache),
    });
    this.#contexts = [llama.newContext(contextLength)];
    this.#snapshots = new Snapshots(llama, newContext);
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

  /** Memory of the copies at breakpoints, bytes. */
  get snapshotBytes(): number {
    return this.#snapshots.bytes;
  }

  /** The texts in the KV caches. */
  get texts(): string[] {
    return this.#conversations.texts;
  }

  /** The tokens in the KV caches and in copies. */
  get tokens(): number[] {
    const busy = [...this.#busy.values()].flat();
    return [...this.#conversations.tokens, ...busy, ...this.#snapshots.tokens];
  }

  /** Resolves when an answer has ended: there may be a context for a prompt that had none. */
  get freed(): Promise<void> {
    return this.#freed.promise;
  }

  /** Chooses the context for a prompt, until its `end`. @returns undefined if all are in use */
  async start(
    prompt: string,
    promptTokens: readonly number[],
    reuse: Reuse,
  ): Promise<Prefill | undefined> {
    const { mayAdd, mayGrow, shared, caching } = reuse;
    const start = await this.#choose(mayAdd, prompt, promptTokens, shared, caching);
    if (!start) return undefined;
    const { cache, tokens } = start;
    this.#busy.set(cache, tokens);
    const context = this.#at(cache);
    const { client = '' } = caching ?? {};
    const hold = (count: number) => this.#conversations.hold(cache, tokens.slice(0, count));
    const end = (written: Written | undefined) => {
      if (written) this.#conversations.remember(cache, written);
      else this.#conversations.forget(cache);
      this.#busy.delete(cache);
      this.#freed.resolve();
      this.#freed = Promise.withResolvers();
    };
    const kept = this.#fromSnapshot(start, caching) ?? this.#bring(start);
    const writes: CacheWrites = { short: 0, long: 0 };
    let copied = 0;
    const snapshot = async (count: number, isLong: boolean, isOnDisk: boolean) => {
      // All copies together take no more than one whole KV cache.
      const most = mayGrow ? this.bytesEach : this.snapshotBytes;
      const held = tokens.slice(0, count);
      const isInMemory = await this.#snapshots.keep(client, context, held, most);
      if (!isInMemory && !isOnDisk) return;
      writes[isLong ? 'long' : 'short'] += count - Math.max(copied, prefill.kept);
      copied = count;
    };
    const prefill: Prefill = { context, tokens, kept, snapshot, hold, writes, end };
    return prefill;
  }

  /** The conversation's start in a KV cache that is not busy. */
  async #choose(
    mayAdd: boolean,
    ...prompt: Parameters<WarmConversations['start']>
  ): Promise<PrefillStart | undefined> {
    const most = mayAdd ? this.#most : this.count;
    this.#conversations.limit(most);
    if (this.#busy.size >= most) return undefined;
    const start = this.#conversations.start(...prompt);
    if (start.cache < this.count || (await this.#add())) return start;
    this.#conversations.forget(start.cache);
    return this.#choose(false, ...prompt);
  }

  /** Empties what only this request may use. */
  forget(request: number): void {
    for (const cache of this.#conversations.forgetRequest(request)) {
      this.#llama.keep(this.#at(cache), 0);
    }
  }

  /** Copies a snapshot into the KV cache, if it holds more of the prompt. @returns how many tokens; undefined: none does */
  #fromSnapshot({ cache, kept, tokens }: PrefillStart, caching?: Caching): number | undefined {
    const { client = '', request, breakpoints = [] } = caching ?? {};
    // A request that shares nothing reads no copy unless it asks for copies itself.
    if (request !== undefined && breakpoints.length === 0) return undefined;
    const found = this.#snapshots.find(client, tokens);
    if (!found || found.tokens.length <= kept) return undefined;
    try {
      this.#llama.copy(found.context, this.#at(cache));
      return found.tokens.length;
    } catch (error) {
      // There may be no memory for a copy; the contexts still work.
      requireIntact(error);
      return undefined;
    }
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
  async #add(): Promise<boolean> {
    try {
      this.#contexts.push(await this.#newContext(this.#contextLength));
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
