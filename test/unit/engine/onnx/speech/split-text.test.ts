import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitText } from '../../../../../src/engine/onnx/speech/split-text.ts';

const atMost = (length: number) => (piece: string) => piece.length <= length;

describe('a text', () => {
  test.each([
    ['en', 'One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
    ['en', 'One line\nand another', ['One line', 'and another']],
    ['en', '“Yes.” He left.', ['“Yes.”', 'He left.']],
    ['en', '3.14 is pi.', ['3.14 is pi.']],
    ['ja', '今日は。元気ですか？はい。', ['今日は。', '元気ですか？', 'はい。']],
    ['en', '  \n ', []],
  ])('%s: %j', (language, text, sentences) => {
    expect(splitText(text, language, atMost(512))).toEqual(sentences);
  });
});

describe('a sentence that is too long', () => {
  test('is split at its clauses', () => {
    expect(splitText('When it rains, it pours; when not, not.', 'en', atMost(25))).toEqual([
      'When it rains, it pours;',
      'when not, not.',
    ]);
  });

  test('is split between words if a clause is too long', () => {
    expect(splitText('one two three, four five six seven', 'en', atMost(12))).toEqual([
      ...['one two', 'three,', 'four five', 'six seven'],
    ]);
  });

  test('is split inside a word that is too long', () => {
    expect(splitText('abcdefghij', 'en', atMost(4))).toEqual(['abcd', 'efgh', 'ij']);
  });

  test('is passed on by the character if nothing fits', () => {
    expect(splitText('ab', 'en', () => false)).toEqual(['a', 'b']);
  });

  test('is split with few calls of fits', () => {
    let asked = 0;
    const fits = (piece: string) => (asked++, piece.length <= 500);
    expect(splitText('word '.repeat(819), 'en', fits).join(' ').split(' ')).toHaveLength(819);
    expect(asked).toBeLessThan(200);
  });
});

test('for any text, nothing is lost and every piece fits', () => {
  const language = fc.constantFrom('en', 'de', 'ja', 'th', 'ar');
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.lorem({ mode: 'sentences' }),
    fc
      .array(fc.constantFrom('a', 'word', ', ', '. ', '\n', '; ', '。', '…', '"', '👍🏽'))
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, language, fc.integer({ min: 1, max: 60 }), (written, tag, most) => {
      const fits = (piece: string) =>
        Array.from(new Intl.Segmenter(tag).segment(piece)).length <= most;
      const parts = splitText(written, tag, fits);
      expect(parts.join('').replace(/\s+/g, '')).toBe(written.replace(/\s+/g, ''));
      expect(parts.every((part) => part !== '' && part === part.trim() && fits(part))).toBe(true);
    }),
    { numRuns: 500 },
  );
});
