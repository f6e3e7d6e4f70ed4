import { Lexer } from 'marked';
import { afterEach, expect, test, vi } from 'vitest';
import { GrowingBlocks } from '../../../../src/console/chat/markdown/growing-blocks.ts';
import { MOST_SPANNED } from '../../../../src/console/chat/markdown/extensions.ts';
import { markdownBlocks } from '../../../../src/console/chat/markdown/markdown-blocks.ts';

afterEach(() => vi.restoreAllMocks());

const ANSWER = `# Title

A paragraph with *emphasis*, \`code\` and
a line break.

Setext
======

- one

- two
  - nested

    with a paragraph

  continued
-
- four

1. first

2. second
   \`\`\`js
   let a = 1;

   let b = 2;
   \`\`\`

3) other list

| a | b |
| - | - |
| 1 | 2 |

> quote
lazy

> > deeper

\`\`\`\`md
\`\`\`
# not a title

text
\`\`\`
\`\`\`\`

    indented

    code

<div>

html

</div>

***

- [ ] task
* other mark

~~~
fence that never ends

`;

/** What is drawn of a token. */
const DRAWN = new Set(['type', 'raw', 'text', 'tokens', 'items', 'depth', 'loose', 'rows', 'lang']);

function drawn(blocks: unknown): unknown {
  return JSON.parse(
    JSON.stringify(blocks, (key, value: unknown) =>
      key === '' || /^\d+$/.test(key) || DRAWN.has(key) ? value : undefined,
    ),
  );
}

test.each([
  ['\\n', ANSWER, 1],
  ['\\r\\n', ANSWER.replaceAll('\n', '\r\n'), 7],
])('a growing text has the blocks of the whole at each step, with %s', (_, answer, step) => {
  const growing = new GrowingBlocks();
  for (let end = 0; end <= answer.length; end += step) {
    const text = answer.slice(0, end);
    expect(drawn(growing.read(text)), JSON.stringify(text.slice(-40))).toEqual(
      drawn(markdownBlocks(text)),
    );
  }
});

test('complete blocks are parsed once', () => {
  const growing = new GrowingBlocks();
  const before = growing.read('one\n\ntwo\n\nthree\n\nfour');
  const after = growing.read('one\n\ntwo\n\nthree\n\nfour and more');
  expect(after.map((block, index) => block === before[index])).toEqual([true, true, false, false]);
});

test('a text that does not continue the last one is parsed from its beginning', () => {
  const growing = new GrowingBlocks();
  growing.read('one\n\ntwo\n\nthree\n\nfour');
  expect(growing.read('other').map(({ raw }) => raw)).toEqual(['other']);
});

/** How many characters are parsed, as blocks and as spans, while a text grows by so many characters at a time. */
function parsedWhileGrowing(text: string, step: number) {
  const parsed = { blocks: 0, spans: 0 };
  const lex = vi.spyOn(Lexer.prototype, 'lex');
  const spans = vi.spyOn(Lexer.prototype, 'inlineTokens');
  const growing = new GrowingBlocks();
  for (let end = step; end <= text.length; end += step) growing.read(text.slice(0, end));
  for (const [source] of lex.mock.calls) parsed.blocks += source.length;
  for (const [source] of spans.mock.calls) parsed.spans = Math.max(parsed.spans, source.length);
  return parsed;
}

test('what is parsed at each drawing does not grow with the answer', () => {
  const block = `${'word '.repeat(40)}\n\n`;
  // At 400 pieces a second, a drawing each 50 ms has 20 pieces more.
  const step = 80;
  const drawings = (count: number) => (block.length * count) / step;
  for (const count of [40, 400]) {
    const { blocks } = parsedWhileGrowing(block.repeat(count), step);
    vi.restoreAllMocks();
    // The last two blocks, and the one that has just been completed.
    expect(blocks / drawings(count), `${count} blocks`).toBeLessThan(3 * block.length);
  }
});

test('spans are looked for in no paragraph that is long enough to hold up the page', () => {
  const { spans } = parsedWhileGrowing('*word* and `code` '.repeat(4_000), 1_200);
  expect(spans).toBeGreaterThan(0);
  expect(spans).toBeLessThanOrEqual(MOST_SPANNED);
});
