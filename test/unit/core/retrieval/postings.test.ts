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
  expect([...(first?.keys() ?? [])]).toEqual([0]);
  expect([...(second?.keys() ?? [])]).toEqual([0]);
  expect(second?.get(0)).toBeGreaterThan(first?.get(0) ?? 1);
  const [, zebras] = keywordScores(files, 'zebra');
  expect(zebras?.get(1)).toBeGreaterThan(0.75);
  expect(zebras?.get(1)).toBeLessThan(1);
});

test('an unknown or empty query finds nothing', () => {
  const files = [postingsOf(['a b c'])];
  expect(keywordScores(files, 'x')).toEqual([new Map()]);
  expect(keywordScores(files, '?')).toEqual([new Map()]);
  expect(keywordScores([], 'a')).toEqual([]);
});

test('a large file is indexed', () => {
  const chunks = Array.from({ length: 2_000 }, (_, at) => `common ${at} and some other words here`);
  const [scores] = keywordScores([postingsOf(chunks)], 'common 1234');
  const best = [...(scores ?? [])].toSorted(([, a], [, b]) => b - a)[0];
  expect(scores?.size).toBe(2_000);
  expect(best?.[0]).toBe(1_234);
});
