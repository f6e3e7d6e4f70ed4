import type { Token } from './nodes.ts';

/** The types of brackets, braces included. */
export const OPENINGS = new Set(['OpenParen', 'OpenSquareBracket', 'OpenCurlyBracket']);
export const CLOSINGS = new Set(['CloseParen', 'CloseSquareBracket', 'CloseCurlyBracket']);

export const OPEN: Token = token('OpenStatement', '{%');
export const CLOSE: Token = token('CloseStatement', '%}');

export function token(type: Token['type'], value: string): Token {
  return { type, value };
}

export function word(value: string): Token {
  return token('Identifier', value);
}

/** The place of the mark that ends a tag. */
export function endOfTag(tokens: readonly Token[], tag: number): number {
  let end = tag;
  while (end < tokens.length && tokens[end]?.type !== 'CloseStatement') end++;
  return end;
}

/** The place of the bracket that closes each one. */
export function closings(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { type }] of tokens.entries()) {
    if (OPENINGS.has(type)) open.push(at);
    const begin = CLOSINGS.has(type) ? open.pop() : undefined;
    if (begin !== undefined) ends.set(begin, at);
  }
  return ends;
}
