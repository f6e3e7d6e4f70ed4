import { expect, test } from 'vitest';
import { rotationAt } from '../../../scripts/rotation.ts';

const EXAMPLES = ['astro.test.ts', 'next.test.ts'];

/** Consecutive seconds, more than a whole turn. */
const TURNS = Array.from({ length: 60 }, (_, second) => rotationAt(second, EXAMPLES));

test('each example has its turn, and the engine that is small enough', () => {
  const kinds = new Set(TURNS.map(({ example, engine }) => example ?? engine));
  expect(kinds).toEqual(new Set(['test/embed/astro.test.ts', 'test/embed/next.test.ts', 'ray']));
  expect(
    TURNS.filter(({ example, engine }) => example !== undefined && engine !== undefined),
  ).toEqual([]);
});

test('each slow test has its turn, also beside the engine', () => {
  const beside = TURNS.filter(({ engine }) => engine !== undefined);
  for (const turns of [TURNS, beside]) {
    const left = turns.map(({ leftOut }) => new RegExp(leftOut));
    expect(new Set(turns.map(({ leftOut }) => leftOut)).size).toBe(3);
    for (const name of ['webllm faults/takeover', 'webllm memory', 'webllm start-twice']) {
      const runs = left.filter((each) => !each.test(`${name}.test.ts`));
      expect(runs.length).toBeGreaterThan(0);
      expect(runs.length).toBeLessThan(turns.length);
    }
  }
});
