/** From the lowest to the highest value. */
export type Interval = readonly [low: number, high: number];

/** An interval may miss the true median with this chance at most. */
const MAX_ERROR = 0.05;

/**
 * Interpolates linearly between the two nearest values.
 *
 * @param part - from 0 (the lowest value) to 1 (the highest)
 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The first and the third quartile. */
export function quartiles(values: readonly number[]): Interval {
  return [quantile(values, 0.25), quantile(values, 0.75)];
}

/**
 * The exact 95 % confidence interval of the median, which the sign test gives. It runs from the k-th
 * lowest to the k-th highest value and assumes nothing about how the values are distributed.
 *
 * @returns undefined for fewer than six values: even their whole range is not certain enough
 */
export function medianInterval(values: readonly number[]): Interval | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = intervalRank(sorted.length);
  const [low, high] = [sorted[rank - 1], sorted[sorted.length - rank]];
  return low === undefined || high === undefined ? undefined : [low, high];
}

/** The k of the k-th lowest and k-th highest value; 0 if no interval is certain enough. */
function intervalRank(count: number): number {
  let rank = 0;
  /** Chance that exactly `rank` values lie below the true median. */
  let chance = 0.5 ** count;
  let tail = chance;
  while (2 * tail <= MAX_ERROR) {
    rank++;
    chance *= (count - rank + 1) / rank;
    tail += chance;
  }
  return rank;
}
