import type { Token } from 'marked';
import { expect, test } from 'vitest';
import { LONGEST_SLICE } from '../../../../src/console/chat/markdown/code/code-slices.ts';
import { highlight } from '../../../../src/console/chat/markdown/code/highlighter.ts';
import {
  MOST_DEPTH,
  markdownBlocks,
} from '../../../../src/console/chat/markdown/markdown-blocks.ts';
import { readableJson } from '../../../../src/console/json.ts';

/** Texts that a model may write by repeating itself. */
const REPEATED = {
  quotes: '>'.repeat(50_000),
  'quotes with spaces': '> '.repeat(3_000),
  'quotes that grow': Array.from({ length: 400 }, (_, depth) => '>'.repeat(depth)).join(' a\n'),
  'lists in a line': `${'- '.repeat(2_000)}a`,
  'numbered lists in a line': `${'1. '.repeat(2_000)}a`,
  'lists that grow': Array.from({ length: 400 }, (_, depth) => `${'  '.repeat(depth)}- a`).join(
    '\n',
  ),
  'quotes of lists': `${'> - '.repeat(1_000)}a`,
  emphasis: `${'*'.repeat(3_000)}a${'*'.repeat(3_000)}`,
  'emphasis in emphasis': `${'*a '.repeat(1_000)}b${'*'.repeat(1_000)}`,
  'emphasis that never ends': 'x**'.repeat(50_000),
  'struck out': `${'~~a ~'.repeat(1_000)}b${'~'.repeat(1_000)}`,
  brackets: '['.repeat(20_000),
  'links in links': `${'[a'.repeat(5_000)}${'](b)'.repeat(5_000)}`,
  'links that never end': '[a]('.repeat(5_000),
  dollars: '$'.repeat(20_000),
  'formulas that never end': '$a'.repeat(10_000),
  'formulas in brackets that never end': '\\['.repeat(10_000),
  'a formula of many lines that never ends': `$$${'a\n'.repeat(20_000)}`,
  'one paragraph': 'word '.repeat(100_000),
  'a wide table': `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${'|b'.repeat(2_000)}|`,
  'a long table': `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(5_000)}`,
};

test.each(Object.entries(REPEATED))('%s: are blocks of bounded depth, with all text', (_, text) => {
  const blocks = markdownBlocks(text);
  expect(
    blocks
      .map(({ raw }) => raw)
      .join('')
      .trimEnd(),
  ).toBe(text.trimEnd());
  // A nested list has two tokens a level, and text in a paragraph two more.
  expect(depthOf(blocks)).toBeLessThanOrEqual(2 * MOST_DEPTH + 4);
});

/** Languages in which highlight.js is slowest, and what the code then repeats. */
const SLOWEST = [
  ['ini', '-'],
  ['ini', 'a'],
  ['cpp', 'if '],
  ['cpp', 'a\n'],
  ['typescript', 'a'],
  ['graphql', '_'],
] as const;

test.each(SLOWEST)('code in %s that repeats %j is coloured soon', async (language, unit) => {
  const code = unit.repeat(LONGEST_SLICE / unit.length);
  const start = process.cpuUsage();
  const parts = (await highlight(code, language, new AbortController().signal)) ?? [];
  // Processor time, in microseconds: other programs add nothing to it. It is about half a second.
  expect(process.cpuUsage(start).user).toBeLessThan(5e6);
  expect(parts.map(({ text }) => text).join('')).toBe(code);
});

test('what people write is nested as before', () => {
  const [quote] = markdownBlocks('> - **a *b* [c](https://d.example)**');
  expect(kindsOf(quote)).toEqual([
    'blockquote',
    'list',
    'list_item',
    'text',
    'strong',
    'em',
    'link',
  ]);
});

test('JSON is indented unless it is nested deeply', () => {
  expect(readableJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  const deep = '['.repeat(5_000) + ']'.repeat(5_000);
  expect(readableJson(deep)).toBe(deep);
});

function childrenOf(token: Token): Token[] {
  const tokens = 'tokens' in token ? token.tokens : undefined;
  const items: Token[] | undefined = 'items' in token ? token.items : undefined;
  return [...(tokens ?? []), ...(items ?? [])];
}

function depthOf(tokens: readonly Token[]): number {
  return Math.max(0, ...tokens.map((token) => 1 + depthOf(childrenOf(token))));
}

/** The kinds of a token and of what is in it; text is left out. */
function kindsOf(token: Token | undefined): string[] {
  if (!token) return [];
  const inner = childrenOf(token).flatMap(kindsOf);
  return token.type === 'text' && inner.length === 0 ? [] : [token.type, ...inner];
}
