import { expect, test } from 'vitest';
import { measurePairs, median, quantile, spread } from '../../../bench/statistics.ts';

test('the median of an even number of values lies between the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('quantiles lie between the nearest values', () => {
  expect([0, 0.25, 1].map((part) => quantile([10, 20, 30], part))).toEqual([10, 15, 30]);
});

test('a spread says how many values it is of', () => {
  expect(spread([1, 2, 3, 4, 5])).toEqual({ median: 3, quartiles: [2, 4], count: 5 });
});

test('pairs are measured ABBA BAAB, and each side keeps its own', async () => {
  let order = '';
  const take = (side: string) => () => {
    order += side;
    return Promise.resolve(side);
  };
  const pairs = await measurePairs(5, { v1: take('A'), direct: take('B') });
  expect(order).toBe('ABBABAABAB');
  expect(pairs).toEqual(Array.from({ length: 5 }, () => ({ v1: 'A', direct: 'B' })));
});
