import type { GrammarMatcher } from '../grammar-masks.ts';
import type { Llama } from '../llama.ts';
import type { DraftSource, Guess, WrittenTokens } from './draft-source.ts';

/** Tokens before the forced text that decide how it is divided into tokens. */
const CONTEXT = 8;
/** UTF-16 units of the forced text that are looked at: more than fit in one batch. */
const MOST_TEXT = 128;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

type TextTokens = Pick<Llama, 'tokenize' | 'bytes'>;

/** Grades: the token begins a word or a number; it is a mark; the tokenizer would divide the text before it differently. */
const [WORD, MARK, AMONG] = [0, 1, 2];

/** Guesses the text that a grammar forces. */
export class ForcedTokens implements DraftSource {
  readonly kind = 'forced';
  readonly trust = [0.9, 0.97, 0.5];
  readonly #llama: TextTokens;
  readonly #matcher: Pick<GrammarMatcher, 'forced'>;

  /** @param matcher - at the place in the grammar that each guess is about */
  constructor(llama: TextTokens, matcher: Pick<GrammarMatcher, 'forced'>) {
    this.#llama = llama;
    this.#matcher = matcher;
  }

  guess({ tokens, start }: WrittenTokens): Guess[] {
    const { forced } = this.#matcher;
    const before = tokens.slice(Math.max(start, tokens.length - CONTEXT));
    const whole = forcedTokens(this.#llama, before, forced);
    if (whole.length > 0) return whole.map((token) => ({ token, grade: this.#grade(token) }));
    return forcedTokens(this.#llama, [], forced).map((token) => ({ token, grade: AMONG }));
  }

  /** Words may be divided in many ways, marks in few. */
  #grade(token: number): number {
    return /^[\p{L}\p{N}]/u.test(decoder.decode(this.#llama.bytes(token))) ? WORD : MARK;
  }
}

/**
 * The tokens of a text that a grammar forces, as the tokenizer divides the whole answer. A model that is free to
 * choose nearly always divides it so, but it need not: the last of these tokens may be part of a longer one, with what
 * comes next. So they are only a guess, which the model's own choices confirm or not.
 *
 * @param before - the last tokens of the answer so far
 * @returns none if the tokenizer has a token for the end of these and the beginning of the text together
 */
export function forcedTokens(
  llama: TextTokens,
  before: readonly number[],
  text: string,
): readonly number[] {
  const forced = text.slice(0, MOST_TEXT);
  if (forced === '') return [];
  const start = before.flatMap((token) => [...llama.bytes(token)]);
  const tokens = llama.tokenize(decoder.decode(Uint8Array.from(start)) + forced);
  // Counted from the end, because some tokenizers put a space before a text.
  let left = encoder.encode(forced).length;
  let first = tokens.length;
  while (left > 0 && first > 0) left -= llama.bytes(tokens[--first] ?? 0).length;
  return left === 0 ? tokens.slice(first) : [];
}
