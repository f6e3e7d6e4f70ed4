import type { AnswerEnd, Asked, KvReuse, PromptPlan } from './kv-conversation.ts';
import { WarmConversations, type PrefillStart } from '../../models/warm-conversations.ts';
import type { ImageTokens } from './image-tokens.ts';
import type { KvCaches, ShownPrompt } from './kv-caches.ts';

/** How many conversations stay in GPU memory at once, if there is room. */
const MOST = 2;

interface Options {
  /** Ids of the tokens that end a message. */
  stopTokenIds: readonly number[];
  /** Whether the model may take this much more memory, bytes. */
  canAllocate: (bytes: number) => Promise<boolean>;
  /** Undefined: the model sees no images. */
  images?: Pick<ImageTokens, 'tokens'> | undefined;
}

/**
 * Uses several KV caches that can be truncated. Each prompt is handed over whole; when its tokens
 * are known, the cache that shares the longest beginning is swapped in.
 */
export class WarmKv implements KvReuse {
  readonly #caches: KvCaches;
  readonly #conversations: WarmConversations;
  readonly #canAllocate: Options['canAllocate'];
  /** The maximum number of caches; lowered when the GPU has no room for another. */
  #most = MOST;
  #isRunning = false;
  #isReleased = false;
  #prompt = '';
  #asked: Asked = {};
  #start: PrefillStart | undefined;

  constructor(caches: KvCaches, { stopTokenIds, canAllocate, images }: Options) {
    this.#caches = caches;
    this.#canAllocate = canAllocate;
    this.#conversations = new WarmConversations(MOST, {
      contextLength: caches.contextLength,
      stopTokenIds,
      encode: (text) => images?.tokens(text) ?? caches.encode(text),
    });
    caches.onPrefill = (tokens) => this.#onPrefill(tokens);
  }

  get extraBytes(): number {
    return this.#isReleased ? 0 : (this.#caches.count - 1) * this.#caches.bytesEach;
  }

  get promptTokens(): number | undefined {
    return this.#start?.tokens.length;
  }

  get cachedTokens(): number {
    return this.#start?.kept ?? 0;
  }

  get imageTokens(): number {
    return this.#start?.tokens.filter((token) => token < 0).length ?? 0;
  }

  begin(prompt: string, shown?: ShownPrompt, asked: Asked = {}): PromptPlan {
    this.#isRunning = true;
    this.#prompt = prompt;
    this.#asked = asked;
    this.#caches.shown = shown;
    this.#start = undefined;
    return { turns: [], prompt };
  }

  end(answer: AnswerEnd | undefined, isBroken: boolean): void {
    this.#isRunning = false;
    this.#prompt = '';
    this.#caches.shown = undefined;
    this.#remember(answer, isBroken);
    if (this.#isReleased) this.releaseExtra();
    this.#conversations.limit(this.#most);
  }

  /** The tokens stay in the GPU's memory until others take their place, but no prompt reads them. */
  forget(request: number): void {
    this.#conversations.forgetRequest(request);
  }

  isWarm(prompt: string): boolean {
    return this.#conversations.isWarm(prompt);
  }

  releaseExtra(): void {
    this.#isReleased = this.#isRunning;
    if (this.#isRunning) return;
    for (const cache of this.#conversations.limit(1).toReversed()) this.#caches.remove(cache);
    this.#conversations.limit(this.#most);
  }

  #remember(answer: AnswerEnd | undefined, isBroken: boolean): void {
    const start = this.#start;
    const state = this.#caches.end(isBroken);
    if (!start) return;
    if (!state || isBroken) return this.#conversations.forget(start.cache);
    const tokens = [...start.tokens, ...state.written];
    const output = tokens.length === state.length ? answer?.output : undefined;
    this.#conversations.remember(start.cache, { tokens: tokens.slice(0, state.length), output });
  }

  async #onPrefill(tokens: readonly number[]): Promise<PrefillStart> {
    const { shared, caching } = this.#asked;
    let start = this.#conversations.start(this.#prompt, tokens, shared, caching);
    if (start.cache === this.#caches.count && !(await this.#addCache())) {
      this.#conversations.forget(start.cache);
      this.#conversations.limit(this.#caches.count);
      start = this.#conversations.start(this.#prompt, tokens, shared, caching);
    }
    this.#start = start;
    return start;
  }

  async #addCache(): Promise<boolean> {
    if (!(await this.#canAllocate(this.#caches.bytesEach))) return false;
    if (await this.#caches.add()) return true;
    this.#most = this.#caches.count;
    return false;
  }
}
