const encoder = new TextEncoder();

/**
 * How many tokens an answer has. To count them means to ask the browser, so that is done only when the answer may
 * have reached its limit: no token is shorter than a byte.
 */
export class AnswerLength {
  readonly #measure: (text: string) => Promise<number>;
  readonly #limit: number;
  #text = '';
  /** Tokens of the text when they were counted last, and no fewer than it has had bytes since. */
  #most = 0;

  /** @param measure - counts the tokens of a text */
  constructor(measure: (text: string) => Promise<number>, limit: number) {
    this.#measure = measure;
    this.#limit = limit;
  }

  /** @returns whether the text with this piece is within the limit; else the piece does not count */
  async takes(piece: string): Promise<boolean> {
    const text = this.#text + piece;
    const most = this.#most + encoder.encode(piece).length;
    const tokens = most > this.#limit ? await this.#measure(text) : most;
    if (tokens > this.#limit) return false;
    this.#text = text;
    this.#most = tokens;
    return true;
  }

  /** The exact number of tokens. */
  async count(): Promise<number> {
    return this.#text === '' ? 0 : this.#measure(this.#text);
  }
}
