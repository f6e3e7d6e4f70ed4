import { expect, test } from 'vitest';
import { median, medianInterval, quantile, quartiles } from '../../../bench/statistics.ts';

/** 1, 2 … n, in an order that is not sorted. */
const upTo = (n: number) => Array.from({ length: n }, (_, index) => n - index);

test('the median of an even number of values lies between the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('quantiles lie between the nearest values', () => {
  expect([0, 0.25, 1].map((part) => quantile([10, 20, 30], part))).toEqual([10, 15, 30]);
});

test('quartiles are the first and the third', () => {
  expect(quartiles([5, 1, 4, 2, 3])).toEqual([2, 4]);
  expect(quartiles([7])).toEqual([7, 7]);
});

/** Ranks from tables of the sign test at 95 %. */
test.each([
  [6, [1, 6]],
  [8, [1, 8]],
  [9, [2, 8]],
  [12, [3, 10]],
  [20, [6, 15]],
  [100, [40, 61]],
])('of %d values, the interval of the median is between the ranks %j', (count, interval) => {
  expect(medianInterval(upTo(count))).toEqual(interval);
});

test('the range of fewer than six values is not an interval of 95 %', () => {
  for (const count of [0, 1, 5]) expect(medianInterval(upTo(count))).toBeUndefined();
});
