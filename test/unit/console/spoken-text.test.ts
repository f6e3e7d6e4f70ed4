import { expect, test } from 'vitest';
import { MOST_SPOKEN, spokenParts, spokenText } from '../../../src/console/speech/spoken-text.ts';

test('code, tables, formulas, links and marks are not said', () => {
  const markdown =
    'See **[this](https://a.example)**:\n```js\nf();\n```\n| a |\n|---|\nIt is $$x^2$$ so.';
  expect(spokenText(markdown)).toBe('See this:\nIt is \n so.');
});

test('a text is cut into its sentences, and no word is lost', () => {
  const parts = [
    'The tides of the sea follow the moon around the Earth. ',
    'Why? Because its gravity pulls at the water of the sea.\n',
    '1. The side that is near rises more than the other. ',
    '2. Both rise.',
  ];
  expect(spokenParts(parts.join(''))).toEqual(parts);
});

test('a sentence that is longer than a part is cut between words, and no word is lost', () => {
  const text = `${'word '.repeat(2000)}end. Next.`;
  const parts = spokenParts(text);
  expect(parts.join('')).toBe(text);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(MOST_SPOKEN);
    expect(part).toMatch(/^(word|end|Next)/);
  }
});

test('a word that is longer than a part is cut', () => {
  const text = 'x'.repeat(MOST_SPOKEN + 1);
  expect(spokenParts(text).map(({ length }) => length)).toEqual([MOST_SPOKEN, 1]);
});

test('nothing is said of an empty text', () => {
  expect(spokenParts(spokenText('```\ncode\n```'))).toEqual([]);
});
