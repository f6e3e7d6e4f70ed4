/** Which side a measurement is of: the API in the page, or WebLLM alone. */
export type Side = 'v1' | 'direct';

export type Pair<T> = Record<Side, T>;

/** Measures both sides in turn, as `inTurn` does. */
export async function measurePairs<T>(
  count: number,
  measure: Record<Side, () => Promise<T>>,
): Promise<Pair<T>[]> {
  const pairs = await inTurn(count, measure.v1, measure.direct);
  return pairs.map(([v1, direct]) => ({ v1, direct }));
}

/**
 * Measures two things in turn, ABBA BAAB: what drifts while we measure hits both alike, and neither is
 * always the first.
 */
export async function inTurn<T>(
  count: number,
  a: () => Promise<T>,
  b: () => Promise<T>,
): Promise<[T, T][]> {
  const pairs: [T, T][] = [];
  for (let n = 0; n < count; n++) {
    const isSwapped = n % 4 === 1 || n % 4 === 2;
    const first = await (isSwapped ? b() : a());
    const second = await (isSwapped ? a() : b());
    pairs.push(isSwapped ? [second, first] : [first, second]);
  }
  return pairs;
}

/** Linear between the two nearest; `part` from 0 to 1. */
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

export interface Spread {
  median: number;
  /** First and third quartile. */
  quartiles: [number, number];
  count: number;
}

export function spread(values: readonly number[]): Spread {
  return {
    median: median(values),
    quartiles: [quantile(values, 0.25), quantile(values, 0.75)],
    count: values.length,
  };
}
