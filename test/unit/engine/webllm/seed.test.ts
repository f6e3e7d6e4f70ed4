import { expect, test } from 'vitest';
import { generatorState } from '../../../../src/engine/webllm/seed.ts';

const MODULUS = 2 ** 31 - 1;
/** The first number of WebLLM's generator, 0 to 1. */
const first = (state: number) => ((state * 48271) % MODULUS) / MODULUS;

test('every integer is a seed and gives a valid state of the generator', () => {
  const seeds = [0, 1, -1, 7, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, -(2 ** 53), 1e300, -1e300];
  const states = seeds.map((seed) => generatorState(seed));
  for (const state of states) {
    expect(Number.isInteger(state)).toBe(true);
    expect(state).toBeGreaterThan(0);
    expect(state).toBeLessThan(MODULUS);
  }
  expect(new Set(states).size).toBe(seeds.length);
});

test('a seed always gives the same state, each answer has its own, and -0 equals 0', () => {
  expect(generatorState(42)).toBe(generatorState(42));
  expect(generatorState(-0)).toBe(generatorState(0));
  expect(generatorState(42, 1)).not.toBe(generatorState(42));
});

test('the first numbers of small seeds, and of answers to one seed, are spread evenly', () => {
  const bySeed = Array.from({ length: 1000 }, (_, seed) => first(generatorState(seed)));
  const byChoice = Array.from({ length: 1000 }, (_, choice) => first(generatorState(1, choice)));
  for (const numbers of [bySeed, byChoice]) {
    for (let tenth = 0; tenth < 10; tenth++) {
      const inTenth = numbers.filter((x) => Math.floor(x * 10) === tenth).length;
      expect(inTenth).toBeGreaterThan(60);
      expect(inTenth).toBeLessThan(140);
    }
  }
});
