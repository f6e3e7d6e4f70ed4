import type { Token } from './nodes.ts';

/** The types of brackets, braces included. */
export const OPENINGS = new Set(['OpenParen', 'OpenSquareBracket', 'OpenCurlyBracket']);
export const CLOSINGS = new Set(['CloseParen', 'CloseSquareBracket', 'CloseCurlyBracket']);

const token = (type: Token['type'], value: string): Token => ({ type, value });
const COMMA = token('Comma', ',');

/**
 * Tags that the library does not know, written with those that it knows.
 *
 * `{% with a = x, b = y %}` becomes `{% filter string %}{% set a, b = x, y %}`: such a filter changes nothing, what is
 * set in it is not seen outside, and no value sees the new names. `{% filter a | b %}` becomes two tags.
 */
export function knownTags(tokens: readonly Token[]): Token[] {
  const written: Token[] = [];
  /** How many filters each open tag became. */
  const open: number[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at];
    const name = first?.type === 'OpenStatement' ? tokens[at + 1] : undefined;
    const tag = name?.type === 'Identifier' ? name.value : '';
    if (tag === 'endwith' || tag === 'endfilter') {
      for (let left = open.pop() ?? 1; left > 1; left--) written.push(...statement('endfilter'));
      written.push(token('OpenStatement', '{%'), token('Identifier', 'endfilter'));
      at++;
    } else if (tag === 'with' || tag === 'filter') {
      const end = endOf(tokens, at);
      const inner = tokens.slice(at + 2, end);
      const filters = tag === 'with' ? [[token('Identifier', 'string')]] : parts(inner, 'Pipe');
      open.push(filters.length);
      for (const filter of filters.toReversed()) written.push(...statement('filter', filter));
      if (tag === 'with') written.push(...assignment(inner));
      at = end;
    } else if (first) written.push(first);
  }
  return written;
}

function endOf(tokens: readonly Token[], tag: number): number {
  let end = tag;
  while (end < tokens.length && tokens[end]?.type !== 'CloseStatement') end++;
  return end;
}

function statement(name: string, tokens: readonly Token[] = []): Token[] {
  const close = token('CloseStatement', '%}');
  return [token('OpenStatement', '{%'), token('Identifier', name), ...tokens, close];
}

/** `{% set a, b = x, y %}` for `a = x, b = y`. */
function assignment(tokens: readonly Token[]): Token[] {
  const [targets, values]: [Token[], Token[]] = [[], []];
  let target: Token[] = [];
  // A value ends with the next comma, but a target with `=`: `a, b = x, c = y`.
  for (const part of parts(tokens, 'Comma')) {
    const [before = [], ...behind] = parts(part, 'Equals');
    target.push(...(target.length > 0 ? [COMMA] : []), ...before);
    if (behind.length === 0) continue;
    targets.push(...(targets.length > 0 ? [COMMA] : []), ...asOne(target));
    values.push(...(values.length > 0 ? [COMMA] : []), ...behind.flat());
    target = [];
  }
  if (targets.length + target.length === 0) return [];
  return statement('set', [...targets, ...target, token('Equals', '='), ...values]);
}

/** A target of several names in parentheses. */
function asOne(target: Token[]): Token[] {
  if (!target.some(({ type }) => type === 'Comma') || target[0]?.type === 'OpenParen')
    return target;
  return [token('OpenParen', '('), ...target, token('CloseParen', ')')];
}

/** What stands between separators outside brackets. */
function parts(tokens: readonly Token[], separator: Token['type']): Token[][] {
  if (tokens.length === 0) return [];
  const found: Token[][] = [[]];
  let depth = 0;
  for (const each of tokens) {
    if (OPENINGS.has(each.type)) depth++;
    if (CLOSINGS.has(each.type)) depth--;
    if (depth === 0 && each.type === separator) found.push([]);
    else found.at(-1)?.push(each);
  }
  return found;
}
