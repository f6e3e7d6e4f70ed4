import { expect, test } from 'vitest';
import type { Pooling } from '../../../../src/core/files/retrieval/pooling-config.ts';
import { cutAndNormalised, pooled } from '../../../../src/engine/retrieval/pooling.ts';

/** Three tokens of two numbers, and the padding of a longer text in the same batch. */
const values = Float32Array.from([1, 8, 4, 2, 1, 5, 99, 99]);
const states = { values, length: 3, width: 2 };

test.each<[Pooling, number[]]>([
  ['cls', [1, 8]],
  ['last', [1, 5]],
  ['max', [4, 8]],
  ['mean', [2, 5]],
  ['mean_sqrt_len', [6 / Math.sqrt(3), 15 / Math.sqrt(3)]],
  // Weights 1, 2 and 3 of 6.
  ['weighted_mean', [12 / 6, 27 / 6]],
])('%s', (kind, expected) => {
  const vector = pooled(states, [kind]);
  expect(vector).toHaveLength(2);
  for (const [index, value] of expected.entries()) expect(vector[index]).toBeCloseTo(value, 5);
});

// Like in the Pooling of sentence-transformers, a token keeps its place, which is its weight.
test.each<[Pooling, number[]]>([
  ['cls', [1, 8]],
  ['last', [1, 5]],
  ['max', [4, 5]],
  ['mean', [5 / 2, 7 / 2]],
  ['mean_sqrt_len', [5 / Math.sqrt(2), 7 / Math.sqrt(2)]],
  // Weights 2 and 3 of 5.
  ['weighted_mean', [11 / 5, 19 / 5]],
])('%s without the first token', (kind, expected) => {
  const vector = pooled({ ...states, skipped: 1 }, [kind]);
  for (const [index, value] of expected.entries()) expect(vector[index]).toBeCloseTo(value, 5);
});

test('several poolings are joined', () => {
  expect([...pooled(states, ['cls', 'max'])]).toEqual([1, 8, 4, 8]);
});

test('a vector is cut before it is normalised', () => {
  expect([...cutAndNormalised(Float32Array.from([3, 4, 100]), 2)]).toEqual([
    expect.closeTo(0.6, 5),
    expect.closeTo(0.8, 5),
  ]);
  expect([...cutAndNormalised(new Float32Array(2), 2)]).toEqual([0, 0]);
});
