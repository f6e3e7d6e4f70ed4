import { expect, test } from 'vitest';
import { GrowingBlocks } from '../../../../src/console/chat/markdown/growing-blocks.ts';
import { markdownBlocks } from '../../../../src/console/chat/markdown/markdown-blocks.ts';

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
