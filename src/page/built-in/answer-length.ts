const encoder = new TextEncoder();

/**
 * Counts the tokens of an answer. Only the browser can count exactly, so it is asked only when the answer may have
 * reached its limit: a token has at least one byte.
 */
export class AnswerLength {
  readonly #measure: (text: string) => Promise<number>;
  readonly #limit: number;
  #text = '';
  /** Upper bound of the tokens: the last exact count, plus one for every byte since. */
  #most = 0;

  /** @param measure - counts the tokens of a text */
  constructor(measure: (text: string) => Promise<number>, limit: number) {
    this.#measure = measure;
    this.#limit = limit;
  }

  /** @returns whether the text is within the limit with this piece; if not, the piece is not added */
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
