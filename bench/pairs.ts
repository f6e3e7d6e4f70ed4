import { median } from './statistics.ts';

/** `v1` is the API in the page, `direct` is what it is compared with: WebLLM or kokoro-js alone. */
export type Side = 'v1' | 'direct';

/** A value of each side. */
export type BySide<T> = Record<Side, T>;

/** Does something on both sides, one after the other; `direct` first if swapped. */
export async function bothSides<T>(
  action: BySide<() => Promise<T>>,
  isSwapped: boolean,
): Promise<BySide<T>> {
  const [v1, direct] = await bothOf(action.v1, action.direct, isSwapped);
  return { v1, direct };
}

/** Measures both sides alternately, in the order of `measureAlternately`. */
export async function measurePairs<T>(
  count: number,
  measure: BySide<() => Promise<T>>,
  isSwapped: boolean,
): Promise<BySide<T>[]> {
  const pairs = await measureAlternately(count, measure.v1, measure.direct, isSwapped);
  return pairs.map(([v1, direct]) => ({ v1, direct }));
}

/**
 * Measures two things in the order ABBA BAAB, or BAAB ABBA if swapped. So neither is always first, and
 * whatever changes slowly in the meantime affects both equally.
 */
export async function measureAlternately<T>(
  count: number,
  a: () => Promise<T>,
  b: () => Promise<T>,
  isSwapped: boolean,
): Promise<[T, T][]> {
  const pairs: [T, T][] = [];
  for (let n = 0; n < count; n++) {
    const isBFirst = n % 4 === 1 || n % 4 === 2;
    pairs.push(await bothOf(a, b, isBFirst !== isSwapped));
  }
  return pairs;
}

async function bothOf<T>(
  a: () => Promise<T>,
  b: () => Promise<T>,
  isSwapped: boolean,
): Promise<[T, T]> {
  const first = await (isSwapped ? b() : a());
  const second = await (isSwapped ? a() : b());
  return isSwapped ? [second, first] : [first, second];
}

/** Median of a ratio or difference that each pair gives. */
export function medianOfPairs<T>(
  pairs: readonly BySide<T>[],
  value: (pair: BySide<T>) => number,
): number {
  return median(pairs.map(value));
}

/** Median of each side by itself. */
export function mediansBySide<T>(
  pairs: readonly BySide<T>[],
  value: (measured: T) => number,
): BySide<number> {
  return {
    v1: medianOfPairs(pairs, ({ v1 }) => value(v1)),
    direct: medianOfPairs(pairs, ({ direct }) => value(direct)),
  };
}
