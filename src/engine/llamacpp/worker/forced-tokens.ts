import type { Llama } from './llama.ts';

/** Tokens before the forced text that decide how it is divided into tokens. */
const CONTEXT = 8;
/** UTF-16 units of the forced text that are looked at: more than fit in one batch. */
const MOST_TEXT = 128;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The tokens of a text that a grammar forces, as the tokenizer divides the whole answer. A model that is free to
 * choose nearly always divides it so, but it need not: the last of these tokens may be part of a longer one, with what
 * comes next. So they are only a guess, which the model's own choices confirm or not.
 *
 * @param before - tokens of the answer so far
 * @returns none if the tokenizer has a token for the end of these and the beginning of the text together
 */
export function forcedTokens(
  llama: Pick<Llama, 'tokenize' | 'bytes'>,
  before: readonly number[],
  text: string,
  most: number,
): number[] {
  const forced = text.slice(0, MOST_TEXT);
  if (most <= 0 || forced === '') return [];
  const start = before.slice(-CONTEXT).flatMap((token) => [...llama.bytes(token)]);
  const tokens = llama.tokenize(decoder.decode(Uint8Array.from(start)) + forced);
  // Counted from the end, because some tokenizers put a space before a text.
  let left = encoder.encode(forced).length;
  let first = tokens.length;
  while (left > 0 && first > 0) left -= llama.bytes(tokens[--first] ?? 0).length;
  return left === 0 ? tokens.slice(first, first + most) : [];
}
