import { parse, tokenize } from '@huggingface/jinja';
import { TemplateFault } from '../limits/faults.ts';
import type { Node, Token } from './nodes.ts';
import { readableSource } from './source.ts';
import { knownTags } from './tags.ts';
import { readableNumbers } from './numbers.ts';
import { closings, CLOSINGS, OPENINGS } from './tokens.ts';

/** Words behind which a bracket begins a value. */
const WORDS = new Set(['and', 'or', 'else', 'elif', 'if', 'in', 'is', 'not']);
/** Words that follow a test without an argument. */
const NO_ARGUMENTS = new Set(['and', 'or', 'else', 'if', 'in', 'is', 'not', 'recursive']);
const LITERALS = new Set(['NumericLiteral', 'StringLiteral']);
const OPENS = new Set(['OpenSquareBracket', 'OpenParen']);
const CLOSES = new Set(['CloseSquareBracket', 'CloseParen']);
/** What the name of a filter begins with that stands for a test with an argument, and for one that must fail. */
export const TEST = 'is ';
export const FAILED_TEST = 'is not ';
/** The name of a filter that makes a tuple of a list. */
export const AS_TUPLE = 'as tuple';

/** The statements of a template. @throws Error if it cannot be parsed */
export function parseTemplate(source: string): Node[] {
  const tokens = tokenize(readableSource(source), { lstrip_blocks: true, trim_blocks: true });
  const readable = testsAsFilters(withoutLastCommas(readableNumbers(tokens)));
  const { body }: { body: unknown } = parsed(knownTags(readable));
  return areNodes(body) ? body : [];
}

function parsed(tokens: Token[]) {
  try {
    return parse(tokens);
  } catch (error) {
    // The library reads beyond the last token.
    if (error instanceof TypeError)
      throw new TemplateFault('a tag is not closed', { cause: error });
    throw error;
  }
}

/** The library does not export the types of its nodes. */
function areNodes(body: unknown): body is Node[] {
  return Array.isArray(body);
}

/** The library knows no comma before a bracket that closes. `(a,)` becomes `([a] | as tuple)`, and `(a, b,)` loses it. */
function withoutLastCommas(tokens: readonly Token[]): Token[] {
  const written: Token[] = [];
  const open: { at: number; commas: number }[] = [];
  for (const [at, token] of tokens.entries()) {
    const last = open.at(-1);
    if (OPENINGS.has(token.type)) open.push({ at: written.length, commas: 0 });
    if (token.type === 'Comma' && last) last.commas++;
    const next = tokens[at + 1]?.type ?? '';
    if (token.type === 'Comma' && last && CLOSINGS.has(next)) {
      const isOne = last.commas === 1 && next === 'CloseParen' && !isCall(written[last.at - 1]);
      if (isOne) asTuple(written, last.at);
      continue;
    }
    if (CLOSINGS.has(token.type)) open.pop();
    written.push(token);
  }
  return written;
}

/** Whether a bracket behind this is that of a call. */
function isCall(before: Token | undefined): boolean {
  if (before?.type === 'Identifier') return !WORDS.has(before.value);
  return before !== undefined && CLOSES.has(before.type);
}

function asTuple(written: Token[], open: number): void {
  written.splice(open + 1, 0, { type: 'OpenSquareBracket', value: '[' });
  written.push(
    { type: 'CloseSquareBracket', value: ']' },
    { type: 'Pipe', value: '|' },
    { type: 'Identifier', value: AS_TUPLE },
  );
}

/** The library knows tests without arguments only. `a is eq(b)` and `a is eq b` become filters, which bind as tests do. */
function testsAsFilters(tokens: readonly Token[]): Token[] {
  const written: Token[] = [];
  const ends = closings(tokens);
  const write = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const token = tokens[at];
      if (!token) continue;
      const test = token.type === 'Identifier' && token.value === 'is' && testAt(tokens, at, ends);
      if (!test || written.at(-1)?.type === 'Dot') {
        written.push(token);
        continue;
      }
      written.push(
        { type: 'Pipe', value: '|' },
        { type: 'Identifier', value: test.name },
        { type: 'OpenParen', value: '(' },
      );
      write(...test.argument);
      written.push({ type: 'CloseParen', value: ')' });
      at = test.end - 1;
    }
  };
  write(0, tokens.length);
  return written;
}

/** The test that `is` begins, and where it ends; undefined: it has no argument. */
function testAt(tokens: readonly Token[], at: number, ends: ReadonlyMap<number, number>) {
  const isNegated = tokens[at + 1]?.value === 'not' && tokens[at + 1]?.type === 'Identifier';
  const place = at + (isNegated ? 2 : 1);
  const [name, first] = [tokens[place], tokens[place + 1]];
  if (name?.type !== 'Identifier' || !first) return undefined;
  const isWord = first.type === 'Identifier' && !NO_ARGUMENTS.has(first.value);
  if (!OPENS.has(first.type) && !isWord && !LITERALS.has(first.type)) return undefined;
  const begin = place + 1;
  const end = (OPENS.has(first.type) ? (ends.get(begin) ?? tokens.length - 1) : begin) + 1;
  const argument: [from: number, to: number] =
    first.type === 'OpenParen' ? [begin + 1, end - 1] : [begin, end];
  return { name: (isNegated ? FAILED_TEST : TEST) + name.value, argument, end };
}
