import type { AnswerEnd, KvReuse, PromptPlan } from './kv-conversation.ts';
import { WarmConversations, type PrefillStart } from './warm-conversations.ts';
import type { KvCaches } from './webllm-kv-caches.ts';

/** Conversations that are kept in GPU memory at a time, where it has the room. */
const USUAL_COUNT = 2;

/**
 * With several KV caches that can be cut: each prompt is handed over whole, and as soon as its tokens
 * are known, the cache with the same beginning is put in its place.
 */
export class WarmKv implements KvReuse {
  readonly #caches: KvCaches;
  readonly #conversations: WarmConversations;
  #isRunning = false;
  #limit = USUAL_COUNT;
  #prompt = '';
  #start: PrefillStart | undefined;

  /** @param stopTokenIds - ids of the tokens that end a message */
  constructor(caches: KvCaches, stopTokenIds: readonly number[]) {
    this.#caches = caches;
    this.#conversations = new WarmConversations(USUAL_COUNT, {
      ...{ contextLength: caches.contextLength, stopTokenIds },
      encode: (text) => caches.encode(text),
    });
    caches.onPrefill = (tokens) => this.#onPrefill(tokens);
  }

  get bytesEach(): number {
    return this.#caches.bytesEach;
  }

  get cachedTokens(): number {
    return this.#start?.kept ?? 0;
  }

  begin(prompt: string): PromptPlan {
    this.#isRunning = true;
    this.#prompt = prompt;
    this.#start = undefined;
    return { turns: [], prompt };
  }

  end(answer: AnswerEnd | undefined, isBroken: boolean): void {
    this.#isRunning = false;
    this.#prompt = '';
    this.#remember(answer, isBroken);
    this.limit(this.#limit);
  }

  isWarm(prompt: string): boolean {
    return this.#conversations.isWarm(prompt);
  }

  limit(count: number): void {
    this.#limit = Math.max(1, count);
    if (this.#isRunning) return;
    const gone = this.#conversations.limit(this.#limit);
    for (const cache of gone.toReversed()) this.#caches.remove(cache);
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
    let start = this.#conversations.start(this.#prompt, tokens);
    if (start.cache === this.#caches.count && !(await this.#caches.add())) {
      this.#limit = this.#caches.count;
      this.#conversations.forget(start.cache);
      this.#conversations.limit(this.#limit);
      start = this.#conversations.start(this.#prompt, tokens);
    }
    this.#start = start;
    return start;
  }
}
