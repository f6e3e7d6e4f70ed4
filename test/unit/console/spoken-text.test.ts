import { expect, test } from 'vitest';
import { MOST_SPOKEN, spokenParts, spokenText } from '../../../src/console/speech/spoken-text.ts';

test('code, tables, formulas, links and marks are not said', () => {
  const markdown =
    'See **[this](https://a.example)**:\n```js\nf();\n```\n| a |\n|---|\nIt is $$x^2$$ so.';
  expect(spokenText(markdown)).toBe('See this:\nIt is \n so.');
});

test('a long text is cut between its sentences, and no word is lost', () => {
  const text = Array.from({ length: 700 }, (_, index) => `Sentence ${index} ends. `).join('');
  const parts = spokenParts(text);
  expect(parts.length).toBe(4);
  expect(parts.join('')).toBe(text);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(MOST_SPOKEN);
    expect(part.startsWith('Sentence')).toBe(true);
  }
});

test('a sentence that is longer than a part is cut between words, and no word is lost', () => {
  const text = `${'word '.repeat(2000)}end. Next.`;
  const parts = spokenParts(text);
  expect(parts.join('')).toBe(text);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(MOST_SPOKEN);
    expect(part).toMatch(/^(word|end)/);
  }
});

test('a word that is longer than a part is cut', () => {
  const text = 'x'.repeat(MOST_SPOKEN + 1);
  expect(spokenParts(text).map(({ length }) => length)).toEqual([MOST_SPOKEN, 1]);
});

test('nothing is said of an empty text', () => {
  expect(spokenParts(spokenText('```\ncode\n```'))).toEqual([]);
});
