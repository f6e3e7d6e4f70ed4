/** What the page saw of one answer. Times in milliseconds, of the page's own clock. */
export interface Answer {
  /** From asking to the first text. */
  firstMs: number;
  /** From the first text to the last. */
  decodeMs: number;
  /** From navigation start to the first text. */
  sinceNavigationMs: number;
  text: string;
  promptTokens: number;
  /** How many of the prompt's tokens the KV cache spared. */
  cachedTokens: number;
  completionTokens: number;
}

/** Takes the time of an answer; the clock starts when it is made. */
export class Recorder {
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

  finish(promptTokens: number, completionTokens: number, cachedTokens = 0): Answer {
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
