import type { Token } from 'marked';
import { describe, expect, test } from 'vitest';
import { GrowingBlocks } from '../../../../src/console/chat/markdown/growing-blocks.ts';
import { markdownBlocks } from '../../../../src/console/chat/markdown/markdown-blocks.ts';
import { isMath } from '../../../../src/console/chat/markdown/formula/math-tokens.ts';

/** All formulas of a text: those on lines of their own between `[]`, the others between `()`. */
function formulas(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token): string[] => {
    if (isMath(token)) return [token.isBlock ? `[${token.text}]` : `(${token.text})`];
    if ('items' in token && Array.isArray(token.items)) return formulas(token.items);
    if (token.type === 'table') {
      const cells: { tokens: Token[] }[][] = token.rows;
      return cells.flat().flatMap((cell) => formulas(cell.tokens));
    }
    return 'tokens' in token && token.tokens ? formulas(token.tokens) : [];
  });
}

const found = (text: string) => formulas(markdownBlocks(text));

describe('formulas', () => {
  test.each([
    ['Let $x = 1$ be.', ['(x = 1)']],
    ['Let \\(x = 1\\) be.', ['(x = 1)']],
    ['$$x = 1$$', ['[x = 1]']],
    ['A\n\n$$\nx = 1\n$$\n\nB', ['[x = 1]']],
    ['A\n$$\nx = 1\n$$\nB', ['[x = 1]']],
    ['\\[\nx = \\frac{1}{2}\n\\]', ['[x = \\frac{1}{2}]']],
    ['So \\[x\\] and $$y$$ in a line.', ['(x)', '(y)']],
    ['- $a$\n- **$b$**\n\n> $c$', ['(a)', '(b)', '(c)']],
    ['| a |\n|---|\n| $x_1$ |', ['(x_1)']],
    ['$a_1$ and $b_2$, *not* $c$', ['(a_1)', '(b_2)', '(c)']],
    ['$\\text{5\\$}$', ['(\\text{5\\$})']],
    ['($x$)', ['(x)']],
  ])('%j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test.each([
    'It costs $5, or $6 with milk.',
    'From $5 to $10.',
    'US$5 and $ 6 $ alone',
    '$5-$10',
    'An \\$x\\$ that is escaped',
    '`$x$` and\n\n```\n$$x$$\n```',
    '$$ $$',
    'a $x\ny$ b',
    '\\[a link](https://a.example)',
    '$',
    '$$',
    'The price is 5$ or 6$.',
  ])('are not in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('lose no text around them', () => {
    const text = 'A $x$ b\n\n$$\ny\n$$\n\nc $5 d\n';
    expect(
      markdownBlocks(text)
        .map(({ raw }) => raw)
        .join(''),
    ).toContain('c $5 d');
  });

  test('of an answer that grows are found when they are whole', () => {
    const text = 'First.\n\nLet $x$ be.\n\n$$\nx = 1\n$$\n\nLast.';
    const growing = new GrowingBlocks();
    let blocks: Token[] = [];
    for (let end = 1; end <= text.length; end++) blocks = growing.read(text.slice(0, end));
    expect(formulas(blocks)).toEqual(['(x)', '[x = 1]']);
  });
});
