import { expect, test } from 'vitest';
import { divideText } from '../../../../src/core/retrieval/divide-text.ts';

/** One token for each word. */
const words = (text: string) => text.trim().split(/\s+/).filter(Boolean).length;
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `n${from + index}`).join(' ');

test('a short text is one chunk, an empty one none', () => {
  expect(divideText('One. Two.', { maxTokens: 9, overlapTokens: 4 }, words)).toEqual(['One. Two.']);
  expect(divideText(' \n ', { maxTokens: 9, overlapTokens: 4 }, words)).toEqual([]);
});

test('no chunk is longer than allowed, each begins with the end of the one before, and nothing is lost', () => {
  const text = numbers(0, 100);
  const chunks = divideText(text, { maxTokens: 20, overlapTokens: 8 }, words);
  for (const chunk of chunks) expect(words(chunk)).toBeLessThanOrEqual(20);
  for (const [index, chunk] of chunks.entries()) {
    const next = chunks[index + 1]?.split(' ') ?? [];
    const shared = next.filter((word) => chunk.split(' ').includes(word));
    if (next.length > 0) expect(shared.length).toSatisfy((count) => count > 0 && count <= 8);
  }
  expect(new Set(chunks.flatMap((chunk) => chunk.split(' ')))).toEqual(new Set(text.split(' ')));
});

test('without an overlap, every word is in one chunk', () => {
  const text = numbers(0, 50);
  const chunks = divideText(text, { maxTokens: 7, overlapTokens: 0 }, words);
  expect(chunks.join(' ')).toBe(text);
});

test('a chunk ends after a paragraph if one ends in its last third, else after a line or sentence', () => {
  const size = { maxTokens: 12, overlapTokens: 0 };
  const [paragraph] = divideText('a b c d. e f g h.\n\ni j. k l m n o p q.', size, words);
  expect(paragraph).toBe('a b c d. e f g h.');
  const [line] = divideText('a b c d. e f g h.\ni j. k l m n o p q.', size, words);
  expect(line).toBe('a b c d. e f g h.');
  const [sentence] = divideText('a b c d. e f g h. i j. k l m n o p q.', size, words);
  expect(sentence).toBe('a b c d. e f g h. i j.');
});

test('a text without any border is cut between characters', () => {
  const characters = (text: string) => text.length;
  const chunks = divideText('😀'.repeat(5_000), { maxTokens: 100, overlapTokens: 0 }, characters);
  expect(chunks.join('')).toBe('😀'.repeat(5_000));
  for (const chunk of chunks) expect(chunk).toSatisfy((each: string) => each.isWellFormed());
});
