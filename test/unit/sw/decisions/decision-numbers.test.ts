import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  choiceConfidence,
  likeliest,
  meanLevel,
  scoreConfidence,
} from '../../../../sw/decisions/decision-numbers.ts';

test('one certain answer has the confidence 1, even chances 0', () => {
  expect(choiceConfidence([0, 1, 0])).toBe(1);
  expect(choiceConfidence([0.25, 0.25, 0.25, 0.25])).toBe(0);
  expect(choiceConfidence([0.6, 0.2, 0.2])).toBeCloseTo(0.4, 12);
  expect(scoreConfidence([0, 0, 1])).toBe(1);
  expect(scoreConfidence([0.5, 0.5])).toBe(0);
  expect(meanLevel([0.2, 0.3, 0.5])).toBeCloseTo(1.3, 12);
  expect(likeliest([0.4, 0.4, 0.2])).toBe(0);
});

test('both stay between 0 and 1', () => {
  const weights = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), {
    minLength: 2,
    maxLength: 10,
  });
  fc.assert(
    fc.property(weights, (each) => {
      const sum = each.reduce((a, b) => a + b);
      const probabilities = each.map((weight) => weight / sum);
      for (const confidence of [choiceConfidence(probabilities), scoreConfidence(probabilities)]) {
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }
    }),
  );
});
