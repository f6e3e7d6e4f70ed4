import type { Calibration, Correction } from '../../src/core/catalog/calibration.ts';

/** The probabilities of a question of this type, corrected. Those of a predicate are of true and of false. */
export function corrected(
  probabilities: readonly number[],
  type: keyof Calibration,
  { temperature, bias = 0 }: Correction,
): number[] {
  const most = Math.max(...probabilities);
  const weights = probabilities.map((each, at) => {
    const steps = type === 'predicate' ? 1 - at : at;
    return (each / most) ** (1 / temperature) * Math.exp(bias * steps);
  });
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((each) => each / sum);
}
