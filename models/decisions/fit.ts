import type { Calibration, Correction } from '../../src/core/catalog/calibration.ts';
import { corrected } from '../../sw/decisions/corrected.ts';
import { mean, type Judged } from './figures.ts';

/** A model whose numbers say nothing would have an infinite temperature. */
const HOTTEST = 20;
const COLDEST = 0.2;
const MOST_BIAS = 20;

const STEPS = 30;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The correction with which the right answers of these questions are likeliest. */
export function fitted(judged: readonly Judged[], type: keyof Calibration): Correction {
  const loss = (correction: Correction) =>
    mean(
      judged,
      ({ chances, right }) => -Math.log(corrected(chances, type, correction)[right] ?? 0),
    );
  const biasAt = (slope: number) =>
    type === 'choice'
      ? 0
      : lowest(-MOST_BIAS, MOST_BIAS, (bias) => loss({ temperature: 1 / slope, bias }));
  // The loss is convex in the slope and the bias.
  const slope = lowest(1 / HOTTEST, 1 / COLDEST, (tried) =>
    loss({ temperature: 1 / tried, bias: biasAt(tried) }),
  );
  return { temperature: 1 / slope, ...(type !== 'choice' && { bias: biasAt(slope) }) };
}

/** Where a convex function is lowest, by golden-section search. */
function lowest(least: number, most: number, f: (x: number) => number): number {
  let [from, to] = [least, most];
  for (let step = 0; step < STEPS; step++) {
    const lower = to - GOLDEN * (to - from);
    const upper = from + GOLDEN * (to - from);
    if (f(lower) <= f(upper)) to = upper;
    else from = lower;
  }
  return (from + to) / 2;
}
