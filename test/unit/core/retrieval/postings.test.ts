import { expect, test } from 'vitest';
import { keywordScores, postingsOf, termsOf } from '../../../../src/core/retrieval/postings.ts';

test('terms do not depend on case, marks or the form of a letter', () => {
  expect(termsOf('Café ＡＢＣ')).toEqual(termsOf('cafe abc'));
  expect(termsOf('refunds, 5 days!')).toHaveLength(3);
  expect(termsOf('返金は五日')).toHaveLength(5);
  expect(termsOf('… —')).toEqual([]);
});

test('chunks with more and rarer terms of the query score higher, up to 1', () => {
  const files = [
    postingsOf(['the refund takes five days', 'the shop opens at nine']),
    postingsOf(['the refund policy of the shop', 'zebra zebra zebra zebra zebra zebra']),
  ];
  const [first, second] = keywordScores(files, 'refund policy');
  expect(first?.[1]).toBe(0);
  expect(second?.[1]).toBe(0);
  expect(second?.[0]).toBeGreaterThan(first?.[0] ?? 1);
  const [, zebras] = keywordScores(files, 'zebra');
  expect(zebras?.[1]).toBeGreaterThan(0.75);
  expect(zebras?.[1]).toBeLessThan(1);
});

test('an unknown or empty query finds nothing', () => {
  const files = [postingsOf(['a b c'])];
  expect(keywordScores(files, 'x')).toEqual([new Float32Array(1)]);
  expect(keywordScores(files, '?')).toEqual([new Float32Array(1)]);
  expect(keywordScores([], 'a')).toEqual([]);
});

test('a large file is indexed', () => {
  const chunks = Array.from({ length: 2_000 }, (_, at) => `common ${at} and some other words here`);
  const [scores] = keywordScores([postingsOf(chunks)], 'common 1234');
  expect(scores?.every((score) => score > 0)).toBe(true);
  expect(scores?.indexOf(Math.max(...scores))).toBe(1_234);
});
