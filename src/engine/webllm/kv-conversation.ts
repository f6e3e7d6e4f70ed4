/** One turn as it stands in the KV cache: text that was prefilled, text that was generated. */
interface Turn {
  prompt: string;
  output: string;
}

/** How a prompt is to be handed to WebLLM: past turns it finds in its KV cache, and what is new. */
export interface PromptPlan {
  turns: readonly Turn[];
  prompt: string;
}

/** How an answer ended. */
export interface AnswerEnd {
  /** Everything the model wrote, raw. */
  output: string;
  /** Prompt and output, with the token that ended the turn. */
  tokens: number;
}

/** Keeps in mind what a model's KV caches hold, so that prompts which begin with it are spared that. */
export interface KvReuse {
  /** GPU memory of the KV caches beyond the first, bytes: it takes more when more conversations come. */
  readonly extraBytes: number;
  /** Gives that up, at once or when the running generation is over. */
  releaseExtra(): void;
  /** Before a generation. */
  begin(prompt: string): PromptPlan;
  /** How many of the prompt's tokens are spared; certain once the model has begun to write. */
  readonly cachedTokens: number;
  /**
   * After a generation, however it went.
   *
   * @param answer - undefined unless the model ended its turn by itself
   * @param isBroken - whether WebLLM failed in it
   */
  end(answer: AnswerEnd | undefined, isBroken: boolean): void;
  /** Whether a cache holds most of the prompt. */
  isWarm(prompt: string): boolean;
}

/**
 * By what WebLLM does by itself: it goes on from its one KV cache when it is given the very turns that
 * are in there, as text. Only an answer that the model ended itself can be continued: after a cut, the
 * cache lacks or exceeds what was sent.
 */
export class KvConversation implements KvReuse {
  readonly extraBytes = 0;
  #turns: readonly Turn[] = [];
  #tokens = 0;
  #plan: PromptPlan = { turns: [], prompt: '' };
  #cachedTokens = 0;

  get cachedTokens(): number {
    return this.#cachedTokens;
  }

  releaseExtra(): void {}

  begin(prompt: string): PromptPlan {
    const continues = this.isWarm(prompt);
    this.#cachedTokens = continues ? this.#tokens : 0;
    this.#plan = continues
      ? { turns: this.#turns, prompt: prompt.slice(textOf(this.#turns).length) }
      : { turns: [], prompt };
    // Until the model has ended its turn by itself, the KV cache is something in between.
    this.#turns = [];
    return this.#plan;
  }

  end(answer: AnswerEnd | undefined): void {
    const { turns, prompt } = this.#plan;
    this.#plan = { turns: [], prompt: '' };
    // An empty answer cannot be told from none when the next prompt comes.
    if (!answer?.output) return;
    this.#turns = [...turns, { prompt, output: answer.output }];
    // The end token was sampled and counted, but is not in the KV cache.
    this.#tokens = answer.tokens - 1;
  }

  isWarm(prompt: string): boolean {
    const held = textOf(this.#turns);
    return held !== '' && prompt.length > held.length && prompt.startsWith(held);
  }
}

function textOf(turns: readonly Turn[]): string {
  return turns.map((turn) => turn.prompt + turn.output).join('');
}
