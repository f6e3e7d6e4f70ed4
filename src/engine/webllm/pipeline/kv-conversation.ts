import type { Generation } from '../../conversation/text-model.ts';
import type { ShownPrompt } from './kv-caches.ts';

/** One turn in the KV cache: text that was prefilled, text that was generated. */
interface Turn {
  prompt: string;
  output: string;
}

/** How a prompt is handed to WebLLM: past turns that its KV cache holds, and the new part. */
export interface PromptPlan {
  turns: readonly Turn[];
  prompt: string;
}

/** What a generation says about KV caches. Copies at breakpoints are not possible: WebLLM's caches cannot be copied. */
export type Asked = Pick<Generation, 'shared' | 'caching'>;

/** How an answer ended. */
export interface AnswerEnd {
  /** Everything the model wrote, raw. */
  output: string;
  /** Prompt and output, with the token that ended the turn. */
  tokens: number;
}

/** Tracks what a model's KV caches hold, so that a prompt prefills only what is new. */
export interface KvReuse {
  /**
   * GPU memory of the KV caches beyond the first, bytes. It grows with the number of conversations.
   */
  readonly extraBytes: number;
  /** Frees that memory, at once or when the running generation ends. */
  releaseExtra(): void;
  /**
   * To be called before a generation.
   *
   * @param shown - the prompt's tokens and images; undefined if it has no images
   */
  begin(prompt: string, shown?: ShownPrompt, asked?: Asked): PromptPlan;
  /** Forgets what only this request may use. */
  forget(request: number): void;
  /** Undefined if only WebLLM knows; final once the model has begun to write. */
  readonly promptTokens: number | undefined;
  /** How many of the prompt's tokens were cached; final once the model has begun to write. */
  readonly cachedTokens: number;
  /** How many of the prompt's tokens are of images. */
  readonly imageTokens: number;
  /**
   * To be called after a generation, however it ended.
   *
   * @param answer - undefined unless the model itself ended its turn
   * @param isBroken - whether WebLLM failed
   */
  end(answer: AnswerEnd | undefined, isBroken: boolean): void;
  /** Whether a cache holds most of the prompt. */
  isWarm(prompt: string): boolean;
}

/**
 * Relies on WebLLM's own reuse: WebLLM continues from its only KV cache if it is given exactly the
 * turns in that cache, as text. Only an answer that the model itself ended can be continued: after a
 * cut, the cache holds less or more than what was sent.
 */
export class KvConversation implements KvReuse {
  readonly extraBytes = 0;
  readonly promptTokens = undefined;
  readonly imageTokens = 0;
  #turns: readonly Turn[] = [];
  #tokens = 0;
  #plan: PromptPlan = { turns: [], prompt: '' };
  #cachedTokens = 0;
  /** The only request that may continue the turns; undefined: all may. */
  #request: number | undefined;

  get cachedTokens(): number {
    return this.#cachedTokens;
  }

  releaseExtra(): void {}

  begin(prompt: string, _shown?: ShownPrompt, { caching }: Asked = {}): PromptPlan {
    const continues = this.#request === caching?.request && this.isWarm(prompt);
    this.#request = caching?.request;
    this.#cachedTokens = continues ? this.#tokens : 0;
    this.#plan = continues
      ? { turns: this.#turns, prompt: prompt.slice(textOf(this.#turns).length) }
      : { turns: [], prompt };
    // Until the model ends its turn, the state of the KV cache is unknown.
    this.#turns = [];
    return this.#plan;
  }

  end(answer: AnswerEnd | undefined): void {
    const { turns, prompt } = this.#plan;
    this.#plan = { turns: [], prompt: '' };
    // The next prompt could not tell an empty answer from no answer.
    if (!answer?.output) return;
    this.#turns = [...turns, { prompt, output: answer.output }];
    // The end token was sampled and counted, but is not in the KV cache.
    this.#tokens = answer.tokens - 1;
  }

  forget(request: number): void {
    if (this.#request === request) this.#turns = [];
  }

  isWarm(prompt: string): boolean {
    const held = textOf(this.#turns);
    return held !== '' && prompt.length > held.length && prompt.startsWith(held);
  }
}

function textOf(turns: readonly Turn[]): string {
  return turns.map((turn) => turn.prompt + turn.output).join('');
}
