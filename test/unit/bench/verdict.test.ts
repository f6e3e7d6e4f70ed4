import { expect, test } from 'vitest';
import { verdictOf, type Goal } from '../../../bench/verdict.ts';
import type { Interval } from '../../../bench/statistics.ts';

const AT_LEAST: Goal = { atLeast: 0.97 };
const AT_MOST: Goal = { atMost: 10 };

test.each<[Goal, Interval, string]>([
  [AT_LEAST, [0.97, 1.02], 'held'],
  [AT_LEAST, [0.9, 0.969], 'missed'],
  [AT_LEAST, [0.9, 0.97], 'undecided'],
  [AT_LEAST, [0.96, 1.2], 'undecided'],
  [AT_MOST, [-3, 10], 'held'],
  [AT_MOST, [10.1, 12], 'missed'],
  [AT_MOST, [10, 12], 'undecided'],
  [AT_MOST, [9, 11], 'undecided'],
])('%j with the interval %j: %s', (goal, interval, verdict) => {
  expect(verdictOf(goal, { interval, isCount: false })).toBe(verdict);
});

test('without an interval, there were too few launches for a verdict', () => {
  expect(verdictOf(AT_MOST, { interval: undefined, isCount: false })).toBe('too few launches');
});

test.each<[Interval, string]>([
  [[9, 10], 'held'],
  [[9, 11], 'missed'],
  [[11, 11], 'missed'],
])('a count from %j is judged plainly: %s', (interval, verdict) => {
  expect(verdictOf(AT_MOST, { interval, isCount: true })).toBe(verdict);
});
