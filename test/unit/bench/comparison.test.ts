import { expect, test } from 'vitest';
import { comparisonTable } from '../../../bench/comparison.ts';
import type { Comparable } from '../../../bench/report-json.ts';

const figure = (median: number, interval?: [number, number]): Comparable => ({
  median,
  launches: interval ? 6 : 2,
  ...(interval && { interval }),
});

/** The one line below the titles. */
function line(a: Comparable | undefined, b: Comparable | undefined): string {
  const report = (side: Comparable | undefined) => new Map(side ? [['key', side]] : []);
  return comparisonTable(report(a), report(b), ['a.json', 'b.json']).trimEnd().split('\n')[1] ?? '';
}

test('the titles name both reports', () => {
  expect(comparisonTable(new Map(), new Map(), ['a.json', 'b.json'])).toBe(
    'figure  a.json  95 % interval  b.json  95 % interval  ratio\n',
  );
});

test('figures whose intervals overlap are not marked', () => {
  expect(line(figure(2, [1, 3]), figure(3, [3, 4]))).toMatch(/^key +2 +1 … 3 +3 +3 … 4 +1\.5$/);
});

test('figures whose intervals do not overlap are marked', () => {
  expect(line(figure(4, [3.5, 5]), figure(1, [1, 3]))).toMatch(/ 0\.25 +DIFFERENT$/);
  expect(line(figure(1, [1, 3]), figure(4, [3.5, 5]))).toMatch(/ 4 +DIFFERENT$/);
});

test('without an interval nothing can be said', () => {
  expect(line(figure(1), figure(2, [1, 3]))).toMatch(/ 2 +too few launches$/);
});

test('a figure that only one report has is shown', () => {
  expect(line(undefined, figure(2, [1, 3]))).toMatch(/^key +– +2 +1 … 3 +only in one report$/);
});

test('a difference that can be negative has no ratio', () => {
  expect(line(figure(-1, [-2, 0]), figure(3, [2, 4]))).toMatch(/2 … 4 +DIFFERENT$/);
});
