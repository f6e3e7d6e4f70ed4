import type { TimedAnswer } from '../answer.ts';

/** Measures one answer. The clock starts when the timer is created. */
export class AnswerTimer {
  readonly #asked = performance.now();
  #first: number | undefined;
  #last = 0;
  #text = '';

  add(text: string): void {
    if (text === '') return;
    this.#last = performance.now();
    this.#first ??= this.#last;
    this.#text += text;
  }

  finish(promptTokens: number, completionTokens: number, cachedTokens = 0): TimedAnswer {
    if (this.#first === undefined) throw new Error('The model wrote nothing.');
    return {
      firstMs: this.#first - this.#asked,
      decodeMs: this.#last - this.#first,
      sinceNavigationMs: this.#first,
      text: this.#text,
      promptTokens,
      cachedTokens,
      completionTokens,
    };
  }
}
