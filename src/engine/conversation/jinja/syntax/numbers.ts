import { token, word } from './tokens.ts';
import type { Token } from './nodes.ts';

/** The name of a filter that reads a number as Python writes it. */
export const AS_NUMBER = 'as number';

/** Jinja's numbers. */
const NUMBER =
  /^[+-]?(?:0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|\d(?:_?\d)*(?:\.\d(?:_?\d)*)?(?:e[+-]?\d(?:_?\d)*)?)$/i;
/** A number that the library reads. */
const SIMPLE = /^[+-]?\d{1,15}(?:\.\d+)?$/;
/** `1_000.5e-3` has this many tokens. */
const MOST_TOKENS = 6;

/** The library knows numbers such as 12 and 1.5 only. Others become `('1e3' | as number)`. */
export function readableNumbers(tokens: readonly Token[]): Token[] {
  const written: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at];
    if (!first) break;
    const count = first.type === 'NumericLiteral' ? partsOf(tokens, at) : 1;
    const text = tokens
      .slice(at, at + count)
      .map(({ value }) => value)
      .join('');
    at += count - 1;
    if (first.type !== 'NumericLiteral' || SIMPLE.test(text)) written.push(first);
    else {
      written.push(token('OpenParen', '('), token('StringLiteral', text));
      written.push(token('Pipe', '|'), word(AS_NUMBER), token('CloseParen', ')'));
    }
  }
  return written;
}

/** How many tokens make the number that begins here. */
function partsOf(tokens: readonly Token[], at: number): number {
  let [text, count] = ['', 1];
  for (let length = 1; length <= MOST_TOKENS && at + length <= tokens.length; length++) {
    text += tokens[at + length - 1]?.value ?? '';
    if (NUMBER.test(text)) count = length;
  }
  return count;
}
