import type { DraftSource, Guess, WrittenTokens } from './draft-source.ts';

/** The longest common text that is looked for, tokens. */
const LONGEST = 16;
/** From how many tokens in common on a guess has the next grade. */
const GRADES = [4, 8];
const TRUST = [0.5, 0.7, 0.9];

/** Tokens in common without which there is no guess. Two texts often have a single token in common by chance. */
const SHORTEST = { lookup: 2, prediction: 1 };

/** Guesses that a text is repeated: looks for the last tokens in it, and expects the token that follows them there. */
export class RepeatedText implements DraftSource {
  readonly trust = TRUST;
  readonly kind: 'lookup' | 'prediction';
  readonly #text: readonly number[] | undefined;
  /** Where the last guess was found: of several places that fit equally well, the nearest one is the likeliest. */
  #place: number;

  /** @param text - the text that the answer may repeat; undefined: the prompt and the answer so far */
  constructor(text?: readonly number[]) {
    this.kind = text ? 'prediction' : 'lookup';
    this.#text = text;
    this.#place = text ? 0 : Number.MAX_SAFE_INTEGER;
  }

  guess({ tokens, start }: WrittenTokens): Guess[] {
    const text = this.#text ?? tokens;
    // The answer may begin as the text begins.
    const first = this.#text ? start : 0;
    let best = { common: SHORTEST[this.kind] - 1, distance: -1, place: text.length };
    for (let place = 1; place < text.length; place++) {
      const common = commonLength(text, place, tokens, first);
      if (common < best.common) continue;
      const distance = Math.abs(place - this.#place);
      if (common > best.common || distance < best.distance) best = { common, distance, place };
    }
    const next = text[best.place];
    if (next === undefined) return [];
    this.#place = best.place;
    return [{ token: next, grade: GRADES.filter((least) => best.common >= least).length }];
  }
}

/**
 * How many tokens before a place of a text are also the last ones of other tokens; at most LONGEST, which is also the
 * answer if both agree back to their beginnings.
 *
 * @param first - where the other tokens begin
 */
function commonLength(
  text: readonly number[],
  place: number,
  tokens: readonly number[],
  first: number,
): number {
  const most = Math.min(LONGEST, place, tokens.length - first);
  let common = 0;
  while (common < most && text[place - 1 - common] === tokens[tokens.length - 1 - common]) common++;
  const isWhole = common === place && common === tokens.length - first;
  return isWhole ? LONGEST : common;
}
