import { parse, tokenize } from '@huggingface/jinja';
import type { Node } from './nodes.ts';

type Token = ReturnType<typeof tokenize>[number];

/** Words that follow a test without an argument. */
const NO_ARGUMENTS = new Set(['and', 'or', 'else', 'if', 'in', 'is', 'not', 'recursive']);
const LITERALS = new Set(['NumericLiteral', 'StringLiteral']);
const BRACKETS: Record<string, [open: string, close: string]> = {
  OpenSquareBracket: ['OpenSquareBracket', 'CloseSquareBracket'],
  OpenParen: ['OpenParen', 'CloseParen'],
};
/** What the name of a filter begins with that stands for a test with an argument, and for one that must fail. */
export const TEST = 'is ';
export const FAILED_TEST = 'is not ';

/** The statements of a template. @throws Error if it cannot be parsed */
export function parseTemplate(source: string): Node[] {
  const tokens = tokenize(source, { lstrip_blocks: true, trim_blocks: true });
  const { body }: { body: unknown } = parse(testsAsFilters(tokens));
  return areNodes(body) ? body : [];
}

/** The library does not export the types of its nodes. */
function areNodes(body: unknown): body is Node[] {
  return Array.isArray(body);
}

/** The library knows tests without arguments only. `a is eq(b)` and `a is eq b` become filters, which bind as tests do. */
function testsAsFilters(tokens: readonly Token[]): Token[] {
  const written: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) continue;
    const test = token.type === 'Identifier' && token.value === 'is' && testAt(tokens, at);
    if (!test || written.at(-1)?.type === 'Dot') {
      written.push(token);
      continue;
    }
    const { name, argument, end } = test;
    const open: Token[] = [
      { type: 'Pipe', value: '|' },
      { type: 'Identifier', value: name },
      { type: 'OpenParen', value: '(' },
    ];
    written.push(...open, ...testsAsFilters(argument), { type: 'CloseParen', value: ')' });
    at = end - 1;
  }
  return written;
}

/** The test that `is` begins, and where it ends; undefined: it has no argument. */
function testAt(tokens: readonly Token[], at: number) {
  const isNegated = tokens[at + 1]?.value === 'not' && tokens[at + 1]?.type === 'Identifier';
  const place = at + (isNegated ? 2 : 1);
  const [name, first] = [tokens[place], tokens[place + 1]];
  if (name?.type !== 'Identifier' || !first) return undefined;
  const brackets = BRACKETS[first.type];
  const isWord = first.type === 'Identifier' && !NO_ARGUMENTS.has(first.value);
  if (!brackets && !isWord && !LITERALS.has(first.type)) return undefined;
  const begin = place + 1;
  const end = brackets ? closing(tokens, begin, brackets) : begin + 1;
  const argument =
    first.type === 'OpenParen' ? tokens.slice(begin + 1, end - 1) : tokens.slice(begin, end);
  return { name: (isNegated ? FAILED_TEST : TEST) + name.value, argument, end };
}

/** The place behind the bracket that closes one. */
function closing(tokens: readonly Token[], begin: number, [open, close]: [string, string]): number {
  let depth = 0;
  for (let at = begin; at < tokens.length; at++) {
    if (tokens[at]?.type === open) depth++;
    if (tokens[at]?.type === close && --depth === 0) return at + 1;
  }
  return tokens.length;
}
