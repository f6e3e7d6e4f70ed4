import type { JobEvent, Usage } from '../core/engine.ts';
import {
  opensThinking,
  ReasoningSplitter,
  type OutputPart,
  type ReasoningMarks,
} from '../core/reasoning-splitter.ts';
import { StopFilter } from '../core/stop-filter.ts';

/** An event of an answer; a text says where in all of the output it ends, in UTF-16 units. */
export type ParsedEvent =
  Exclude<JobEvent, { type: 'text' }> | { type: 'text'; text: string; end: number };

/** What a model writes, as it writes it → the events of the answer: thinking, text, and the end. */
export class OutputParser {
  readonly #stop: StopFilter;
  readonly #splitter: ReasoningSplitter | undefined;
  #output = '';
  /** How much of the output no stop string can cut any more. */
  #certain = 0;
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
  push(text: string): ParsedEvent[] {
    this.#output += text;
    const wasInside = this.#splitter?.inside ?? false;
    const events = this.#split(this.#stop.push(text));
    // The tokens that open and close the thinking are part of it.
    if (wasInside || this.#splitter?.inside) this.#reasoningTokens++;
    return events;
  }

  flush(): ParsedEvent[] {
    const last = this.#split(this.#stop.flush());
    return [...last, ...this.#events(this.#splitter?.flush() ?? [])];
  }

  #split(text: string): ParsedEvent[] {
    this.#certain += text.length;
    if (this.#splitter) return this.#events(this.#splitter.push(text));
    return text === '' ? [] : this.#events([{ type: 'text', text }]);
  }

  /** What is text always ends with what was split: only thoughts and their marks are held back. */
  #events(parts: OutputPart[]): ParsedEvent[] {
    return parts.map(({ type, text }) =>
      type === 'text' ? { type, text, end: this.#certain } : { type, text },
    );
  }
}
