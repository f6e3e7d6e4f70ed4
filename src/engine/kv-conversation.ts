/** One turn as it stands in the KV cache: text that was prefilled, text that was generated. */
interface Turn {
  prompt: string;
  output: string;
}

/** How a prompt is to be handed to WebLLM: past turns it finds in its KV cache, and what is new. */
export interface PromptPlan {
  turns: readonly Turn[];
  prompt: string;
  /** Tokens that the KV cache spares. */
  cachedTokens: number;
}

/**
 * Remembers what WebLLM's KV cache holds, as text, and recognises a prompt that continues it. Only
 * an answer that the model ended itself can be continued: after a cut, the cache lacks or exceeds
 * what was sent.
 */
export class KvConversation {
  #turns: Turn[] = [];
  #tokens = 0;

  plan(prompt: string): PromptPlan {
    const held = this.#turns.map((turn) => turn.prompt + turn.output).join('');
    const continues = held !== '' && prompt.length > held.length && prompt.startsWith(held);
    return continues
      ? { turns: this.#turns, prompt: prompt.slice(held.length), cachedTokens: this.#tokens }
      : { turns: [], prompt, cachedTokens: 0 };
  }

  /**
   * @param plan - the prompt as it was handed over
   * @param output - everything the model wrote
   * @param tokens - prompt and output, less the end token, which is not in the cache
   */
  remember(plan: PromptPlan, output: string, tokens: number): void {
    // An empty answer cannot be told from none when the next prompt comes.
    if (output === '') return this.forget();
    this.#turns = [...plan.turns, { prompt: plan.prompt, output }];
    this.#tokens = tokens;
  }

  forget(): void {
    this.#turns = [];
    this.#tokens = 0;
  }
}
