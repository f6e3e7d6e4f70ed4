import type { TokenBytes } from '../answer/vocabulary.ts';

const SPACE = 0x20;

/** Finds the tokens that a text can begin with. */
export class TokenIndex {
  /** Ids of the tokens by their first byte. */
  readonly #byFirst = new Map<number, number[]>();
  readonly #vocabulary: TokenBytes;

  /**
   * @param size - tokens in the vocabulary
   * @param isText - whether a token stands for its text: a control token does not
   */
  constructor(vocabulary: TokenBytes, size: number, isText: (id: number) => boolean) {
    this.#vocabulary = vocabulary;
    for (let id = 0; id < size; id++) {
      const [first] = vocabulary.bytes(id);
      if (first === undefined || !isText(id)) continue;
      const known = this.#byFirst.get(first);
      if (known) known.push(id);
      else this.#byFirst.set(first, [id]);
    }
  }

  /**
   * The tokens that the text begins with, with the number of its bytes that each stands for.
   *
   * @param text - UTF-8, not empty
   * @param isAtStart - whether it is the beginning of an answer
   */
  *beginning(text: Uint8Array, isAtStart: boolean): Generator<{ id: number; length: number }> {
    yield* this.#matching(text, 0);
    // At the beginning of an answer, decoding drops a token's space.
    if (isAtStart && this.#vocabulary.stripsFirstSpace) {
      yield* this.#matching(Uint8Array.of(SPACE, ...text), 1);
    }
  }

  *#matching(text: Uint8Array, dropped: number): Generator<{ id: number; length: number }> {
    for (const id of this.#byFirst.get(text[0] ?? -1) ?? []) {
      const bytes = this.#vocabulary.bytes(id);
      const isBeginning = bytes.length <= text.length && bytes.every((b, at) => b === text[at]);
      if (isBeginning && bytes.length > dropped) yield { id, length: bytes.length - dropped };
    }
  }
}
