import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  largest,
  logSumExp,
  maskBelow,
} from '../../../../../src/engine/conversation/sampling/logits.ts';

const logits = fc
  .array(fc.oneof(fc.float({ noNaN: true }), fc.constantFrom(0, 1, -Infinity)), { maxLength: 60 })
  .map((values) => Float32Array.from(values));

test('the largest values are those that a full sort puts first, with equal ones in order', () => {
  fc.assert(
    fc.property(logits, fc.nat(70), (values, count) => {
      const sorted = Array.from(values.keys()).sort((a, b) => {
        const [x = 0, y = 0] = [values[a], values[b]];
        return x === y ? a - b : y > x ? 1 : -1;
      });
      expect(largest(values, count)).toEqual(sorted.slice(0, count));
    }),
  );
});

test('with logSumExp, logits give probabilities that add up to 1, however large they are', () => {
  for (const values of [[1, 2, 3], [-1000, -1001], [3e4, 3e4, -Infinity], [0]]) {
    const total = logSumExp(Float32Array.from(values));
    const sum = values.reduce((all, value) => all + Math.exp(value - total), 0);
    expect(sum).toBeCloseTo(1, 10);
  }
});

test('maskBelow keeps values at the threshold', () => {
  const values = Float32Array.from([1, 2, 3, 2]);
  maskBelow(values, 2);
  expect([...values]).toEqual([-Infinity, 2, 3, 2]);
});
