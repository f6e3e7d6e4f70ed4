import { describe, expect, test } from 'vitest';
import { qualityOf, type Judged } from '../../../models/decisions/figures.ts';
import { fitted } from '../../../models/decisions/fit.ts';
import type { Item } from '../../../models/decisions/item.ts';
import { figuresOf } from '../../../models/decisions/report.ts';
import { seededRandom } from '../../../scripts/seeded-random.ts';
import { corrected } from '../../../sw/decisions/corrected.ts';

/** Questions of which a share is right, answered with a probability of the first answer. */
function answered(chance: number, rightOf10: number): Judged[] {
  return Array.from({ length: 10 }, (_, at) => ({
    chances: [chance, 1 - chance],
    right: at < rightOf10 ? 0 : 1,
  }));
}

describe('the quality of answers', () => {
  test('the calibration error is 0 if 8 of 10 are right at 0.8, and 0.3 if 5 are', () => {
    expect(qualityOf(answered(0.8, 8)).ece).toBeCloseTo(0, 12);
    expect(qualityOf(answered(0.8, 5)).ece).toBeCloseTo(0.3, 12);
  });

  test('it is the mean of the bins, weighted', () => {
    const both = [...answered(0.8, 5), ...answered(0.6, 6), ...answered(0.6, 6)];
    expect(qualityOf(both).ece).toBeCloseTo(0.1, 12);
  });

  test('the Brier score is 0 for certain right answers, 2 for certain wrong ones', () => {
    expect(qualityOf(answered(1, 10))).toEqual({ right: 1, ece: 0, brier: 0 });
    expect(qualityOf(answered(1, 0))).toEqual({ right: 0, ece: 1, brier: 2 });
    expect(qualityOf(answered(0.5, 5)).brier).toBeCloseTo(0.5, 12);
  });
});

describe('a fit', () => {
  const random = seededRandom(7);

  /** Questions whose labels are drawn by their chances, which were then distorted. */
  function drawn(type: Item['type'], options: number, distortion: object): Judged[] {
    return Array.from({ length: 1_500 }, () => {
      const weights = Array.from({ length: options }, () => random() ** 2 + 0.01);
      const sum = weights.reduce((a, b) => a + b);
      const honest = weights.map((weight) => weight / sum);
      let left = random();
      const right = honest.findIndex((chance) => (left -= chance) < 0);
      return {
        chances: corrected(honest, type, { temperature: 1, ...distortion }),
        right: Math.max(0, right),
      };
    });
  }

  test('finds the temperature and the bias that undo a distortion', () => {
    const predicate = fitted(drawn('predicate', 2, { temperature: 0.5, bias: -2 }), 'predicate');
    expect(predicate.temperature).toBeCloseTo(2, 0);
    expect(predicate.bias).toBeCloseTo(1, 0);
    const score = fitted(drawn('score', 4, { temperature: 1, bias: 1 }), 'score');
    expect(score.temperature).toBeCloseTo(1, 0);
    expect(score.bias).toBeCloseTo(-1, 0);
    const choice = fitted(drawn('choice', 3, { temperature: 0.5 }), 'choice');
    expect(choice).toEqual({ temperature: expect.closeTo(2, 0) });
  });

  test('makes the error of what it was not fitted on small', () => {
    const distortion = { temperature: 0.4, bias: 1 };
    const calibration = fitted(drawn('predicate', 2, distortion), 'predicate');
    const others = drawn('predicate', 2, distortion);
    const better = others.map(({ chances, right }) => ({
      chances: corrected(chances, 'predicate', calibration),
      right,
    }));
    expect(qualityOf(others).ece).toBeGreaterThan(0.1);
    expect(qualityOf(better).ece).toBeLessThan(0.03);
  });
});

test('the figures tell one order from both', () => {
  const item = (at: number, right: number): Item => ({
    id: `choice a ${at}`,
    type: 'choice',
    family: 'a',
    half: at % 2 === 0 ? 'fit' : 'measure',
    input: '',
    instructions: '',
    options: [{ name: 'x' }, { name: 'y' }],
    right,
  });
  const figures = figuresOf([
    // In the given order x is likelier, in the reverse order y: the mean of 0.9 and 0.3 is 0.6.
    { item: item(0, 0), one: [0.9, 0.1], both: [0.6, 0.4], coverage: 0.5 },
    { item: item(1, 1), one: [0.8, 0.2], both: [0.7, 0.3], coverage: 0.7 },
  ]);
  expect(figures).toMatchObject({
    questions: 2,
    chance: 0.5,
    rightByOneOrder: 0.25,
    rightByBothOrders: 0.5,
    changedByOrder: 0.5,
    coverage: expect.closeTo(0.6, 12),
    before: { right: 0, ece: expect.closeTo(0.7, 12) },
  });
});
