/** A piece of an answer: its text, or the number of a passage that was cited after it. */
export type CitedPiece = { text: string } | { passage: number };

/** The longest marker. A longer one is text. */
const LONGEST = 40;

/** A marker and the spaces before it: `[1]`, or `[1, 2]`. */
const MARKER = /^[ \t]*\[(\d+(?:, ?\d+)*)\]/;
/** What may still become a marker, or code. */
const UNFINISHED = /^(?:[ \t]+|[ \t]*\[[\d, ]*|[ \t]*\[[\d, ]+\]|`+)$/;
const CODE = /^`+/;

/**
 * Takes the markers of passages out of a text that is being written. What names no passage, is part of code, or is a
 * link stays in the text.
 */
export class CitationReader {
  readonly #count: () => number;
  #held = '';
  /** The backticks that begin the code that the text is in; empty: it is in none. */
  #code = '';

  /** @param count - how many passages the model has read */
  constructor(count: () => number) {
    this.#count = count;
  }

  push(text: string): CitedPiece[] {
    this.#held += text;
    return this.#read(false);
  }

  /** What was held back, at the end of the text. */
  flush(): CitedPiece[] {
    return this.#read(true);
  }

  #read(isEnd: boolean): CitedPiece[] {
    const pieces: CitedPiece[] = [];
    let text = '';
    while (this.#held !== '') {
      const plain = /^[^ \t[`]+/.exec(this.#held)?.[0] ?? '';
      text += this.#take(plain.length);
      if (!isEnd && UNFINISHED.test(this.#held) && this.#held.length < LONGEST) break;
      const cited = this.#cited();
      if (cited) {
        if (text !== '') pieces.push({ text });
        text = '';
        pieces.push(...cited.map((passage) => ({ passage })));
      } else {
        text += this.#literal();
      }
    }
    if (text !== '') pieces.push({ text });
    return pieces;
  }

  /** The passages of the marker that the held text begins with. */
  #cited(): number[] | undefined {
    const [marker = '', numbers = ''] = MARKER.exec(this.#held) ?? [];
    const cited = numbers.split(',').map(Number);
    const isLink = this.#held[marker.length] === '(';
    const areKnown = cited.every((each) => each >= 1 && each <= this.#count());
    if (marker === '' || this.#code !== '' || isLink || !areKnown) return undefined;
    this.#take(marker.length);
    return cited;
  }

  /** The next characters, which are no marker. */
  #literal(): string {
    const [ticks = ''] = CODE.exec(this.#held) ?? [];
    if (ticks === '') return this.#take(1);
    if (this.#code === '') this.#code = ticks;
    else if (this.#code === ticks) this.#code = '';
    return this.#take(ticks.length);
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return taken;
  }
}
