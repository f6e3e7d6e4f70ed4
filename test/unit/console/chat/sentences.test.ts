import { expect, test } from 'vitest';
import { takeSentences, withoutMarks } from '../../../../src/console/chat/answer/sentences.ts';

test.each([
  ['Paris is the', '', 'Paris is the'],
  ['It is Paris. The', 'It is Paris.', 'The'],
  ['It is 3.14 or', '', 'It is 3.14 or'],
  ['"Yes!" she said', '"Yes!"', 'she said'],
  ['- one\n- two', '- one', '- two'],
  ['是的。然后', '是的。', '然后'],
  ['A. B? C! d', 'A. B? C!', 'd'],
])('%j gives %j and keeps %j', (text, sentences, rest) => {
  expect(takeSentences(text)).toEqual({ sentences, rest });
});

test('a sentence is complete only when something follows it', () => {
  expect(takeSentences('It is Paris.').sentences).toBe('');
});

test('marks of Markdown are removed, but characters that only look like them stay', () => {
  expect(withoutMarks('## Why\nIt is **very** *blue*: `x`.')).toBe('Why\nIt is very blue: x.');
  expect(withoutMarks('2 * 3 = 6, a_b_c')).toBe('2 * 3 = 6, a_b_c');
});
