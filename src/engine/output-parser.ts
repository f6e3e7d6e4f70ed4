import type { JobEvent, Usage } from '../core/engine.ts';
import {
  opensThinking,
  ReasoningSplitter,
  type OutputPart,
  type ReasoningMarks,
} from '../core/reasoning-splitter.ts';
import { StopFilter } from '../core/stop-filter.ts';

/** What a model writes, as it writes it → the events of the answer: thinking, text, and the end. */
export class OutputParser {
  readonly #stop: StopFilter;
  readonly #splitter: ReasoningSplitter | undefined;
  #output = '';
  #reasoningTokens = 0;

  /**
   * @param marks - the marks that the model thinks between; undefined: all is text
   * @param prompt - as rendered: it may already have opened the thinking
   */
  constructor(stop: string[], marks: ReasoningMarks | undefined, prompt: string) {
    // WebLLM's own stop strings leak their beginnings; so they are found here.
    this.#stop = new StopFilter(stop);
    this.#splitter = marks && new ReasoningSplitter(marks, opensThinking(prompt, marks));
  }

  /** Everything the model wrote, raw. */
  get output(): string {
    return this.#output;
  }

  /** Whether a stop string was found: the answer is over. */
  get stopped(): boolean {
    return this.#stop.stopped;
  }

  /** The part of the usage that only the parser knows. */
  get usage(): Pick<Usage, 'reasoningTokens'> {
    return this.#splitter ? { reasoningTokens: this.#reasoningTokens } : {};
  }

  /** @param text - as WebLLM gives it: what one token adds */
  push(text: string): JobEvent[] {
    this.#output += text;
    const wasInside = this.#splitter?.inside ?? false;
    const parts = this.#split(this.#stop.push(text));
    // The tokens that open and close the thinking are part of it.
    if (wasInside || this.#splitter?.inside) this.#reasoningTokens++;
    return parts;
  }

  flush(): JobEvent[] {
    return [...this.#split(this.#stop.flush()), ...(this.#splitter?.flush() ?? [])];
  }

  #split(text: string): OutputPart[] {
    if (this.#splitter) return this.#splitter.push(text);
    return text === '' ? [] : [{ type: 'text', text }];
  }
}
