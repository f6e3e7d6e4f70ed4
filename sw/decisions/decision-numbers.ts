/** Place of the largest number; the first one of equals. */
export function likeliest(probabilities: readonly number[]): number {
  return probabilities.indexOf(Math.max(...probabilities));
}

/** How sure a choice is: 0 if all options are as likely, 1 if one is certain. */
export function choiceConfidence(probabilities: readonly number[]): number {
  const even = 1 / probabilities.length;
  return clamped((Math.max(...probabilities) - even) / (1 - even));
}

/** The mean level. The first level is 0. */
export function meanLevel(probabilities: readonly number[]): number {
  return probabilities.reduce((sum, each, level) => sum + each * level, 0);
}

/**
 * How sure a score is: how far the levels are from the likeliest one, compared with how far levels are from the middle.
 * The formula is TypeSafe's.
 */
export function scoreConfidence(probabilities: readonly number[]): number {
  const mode = likeliest(probabilities);
  const middle = (probabilities.length - 1) / 2;
  const spread = probabilities.reduce((sum, each, level) => sum + each * Math.abs(level - mode), 0);
  const mean =
    probabilities.reduce((sum, _, level) => sum + Math.abs(level - middle), 0) /
    probabilities.length;
  return clamped(1 - spread / mean);
}

/** Sums of rounded numbers can be a little beyond. */
function clamped(x: number): number {
  return Math.min(1, Math.max(0, x));
}
