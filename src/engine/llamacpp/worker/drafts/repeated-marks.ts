import type { Llama } from '../llama.ts';
import type { DraftSource, Guess, WrittenTokens } from './draft-source.ts';

/** White space and JSON's marks: they only separate names and values. */
const MARKS = new Set(' \n\t"{}[]:,'.split('').map((mark) => mark.charCodeAt(0)));

/**
 * Guesses the mark that came after the last token when the answer had it before. JSON may have a space after a comma or
 * none, for example, and most models keep to one.
 */
export class RepeatedMarks implements DraftSource {
  readonly kind = 'lookup';
  readonly trust = [0.8];
  readonly #llama: Pick<Llama, 'bytes'>;

  constructor(llama: Pick<Llama, 'bytes'>) {
    this.#llama = llama;
  }

  guess({ tokens, start }: WrittenTokens): Guess[] {
    const last = tokens.at(-1);
    if (last === undefined || tokens.length - start < 2) return [];
    const place = tokens.lastIndexOf(last, tokens.length - 2);
    const next = place < start ? undefined : tokens[place + 1];
    return next !== undefined && this.#isMark(next) ? [{ token: next, grade: 0 }] : [];
  }

  #isMark(token: number): boolean {
    const bytes = this.#llama.bytes(token);
    return bytes.length > 0 && bytes.every((byte) => MARKS.has(byte));
  }
}
