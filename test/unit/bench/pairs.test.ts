import { expect, test } from 'vitest';
import { bothSides, measurePairs, medianOfPairs, mediansBySide } from '../../../bench/pairs.ts';

/** Both sides, and the order in which they were measured. */
function sides() {
  const order: string[] = [];
  const side = (name: string) => () => {
    order.push(name);
    return Promise.resolve(name);
  };
  return { order, v1: side('A'), direct: side('B') };
}

test.each([
  [false, 'ABBABAABAB'],
  [true, 'BAABABBABA'],
])('if swapped is %s, five pairs are measured in the order %s', async (swapped, expected) => {
  const { order, ...measure } = sides();
  const pairs = await measurePairs(5, measure, swapped);
  expect(order.join('')).toBe(expected);
  expect(pairs).toEqual(Array.from({ length: 5 }, () => ({ v1: 'A', direct: 'B' })));
});

test.each([
  [false, 'AB'],
  [true, 'BA'],
])('if swapped is %s, both sides are loaded in the order %s', async (swapped, expected) => {
  const { order, ...load } = sides();
  expect(await bothSides(load, swapped)).toEqual({ v1: 'A', direct: 'B' });
  expect(order.join('')).toBe(expected);
});

test('a launch gives the median over its pairs', () => {
  const pairs = [
    { v1: 2, direct: 1 },
    { v1: 9, direct: 3 },
    { v1: 4, direct: 4 },
  ];
  expect(medianOfPairs(pairs, ({ v1, direct }) => v1 / direct)).toBe(2);
  expect(mediansBySide(pairs, (value) => 10 * value)).toEqual({ v1: 40, direct: 30 });
});
