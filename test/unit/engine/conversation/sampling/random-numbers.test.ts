import { expect, test } from 'vitest';
import {
  firstState,
  RandomNumbers,
} from '../../../../../src/engine/conversation/sampling/random-numbers.ts';

const MODULUS = 2 ** 31 - 1;
const start = (seed: number, { choice = 0, drawn = 0 } = {}) => ({ seed, choice, drawn });
const first = (seed: number, choice = 0) => new RandomNumbers(start(seed, { choice })).next();

test('every integer is a seed and gives a valid state of the generator', () => {
  const seeds = [0, 1, -1, 7, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, -(2 ** 53), 1e300, -1e300];
  const states = seeds.map((seed) => firstState(start(seed)));
  for (const state of states) {
    expect(Number.isInteger(state)).toBe(true);
    expect(state).toBeGreaterThan(0);
    expect(state).toBeLessThan(MODULUS);
  }
  expect(new Set(states).size).toBe(seeds.length);
});

test('a seed always gives the same state, each answer has its own, and -0 equals 0', () => {
  expect(firstState(start(42))).toBe(firstState(start(42)));
  expect(firstState(start(-0))).toBe(firstState(start(0)));
  expect(firstState(start(42, { choice: 1 }))).not.toBe(firstState(start(42)));
});

test('the first numbers of small seeds, and of answers to one seed, are spread evenly', () => {
  const bySeed = Array.from({ length: 1000 }, (_, seed) => first(seed));
  const byChoice = Array.from({ length: 1000 }, (_, choice) => first(1, choice));
  for (const numbers of [bySeed, byChoice]) {
    for (let tenth = 0; tenth < 10; tenth++) {
      const inTenth = numbers.filter((x) => Math.floor(x * 10) === tenth).length;
      expect(inTenth).toBeGreaterThan(60);
      expect(inTenth).toBeLessThan(140);
    }
  }
});

test('a generator that starts after some draws goes on with the same numbers', () => {
  const numbers = new RandomNumbers(start(9));
  const drawn = Array.from({ length: 40 }, () => numbers.next());
  for (const count of [0, 1, 2, 17, 39]) {
    expect(new RandomNumbers(start(9, { drawn: count })).next()).toBe(drawn[count]);
  }
});

test('every number is between 0 and 1, and they are spread evenly', () => {
  const numbers = new RandomNumbers(start(1));
  const drawn = Array.from({ length: 10_000 }, () => numbers.next());
  expect(Math.min(...drawn)).toBeGreaterThan(0);
  expect(Math.max(...drawn)).toBeLessThan(1);
  for (let tenth = 0; tenth < 10; tenth++) {
    const inTenth = drawn.filter((x) => Math.floor(x * 10) === tenth).length;
    expect(inTenth).toBeGreaterThan(900);
    expect(inTenth).toBeLessThan(1100);
  }
});
