/** Code points as sorted, disjoint, inclusive ranges that do not touch. */
export type CharSet = readonly (readonly [from: number, to: number])[];

/** Every character that a JSON text can hold. Surrogates are not characters. */
export const ANY_CHAR: CharSet = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
];

export const ASCII: CharSet = [[0, 0x7f]];

/** Sorts and merges ranges. */
export function charSet(ranges: CharSet): CharSet {
  const merged: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** The set of the characters of a text. */
export function charsOf(text: string): CharSet {
  return charSet(Array.from(text, (char) => [char.codePointAt(0) ?? 0, char.codePointAt(0) ?? 0]));
}

export function union(...sets: CharSet[]): CharSet {
  return charSet(sets.flat());
}

export function intersection(a: CharSet, b: CharSet): CharSet {
  const ranges: [number, number][] = [];
  for (let i = 0, j = 0; ;) {
    const [left, right] = [a[i], b[j]];
    if (!left || !right) return ranges;
    const from = Math.max(left[0], right[0]);
    const to = Math.min(left[1], right[1]);
    if (from <= to) ranges.push([from, to]);
    if (left[1] < right[1]) i++;
    else j++;
  }
}

/** Every character that is not in the set. */
export function negation(set: CharSet): CharSet {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= 0x10ffff) gaps.push([next, 0x10ffff]);
  return intersection(gaps, ANY_CHAR);
}

export function difference(a: CharSet, b: CharSet): CharSet {
  return intersection(a, negation(b));
}

export function contains(set: CharSet, code: number): boolean {
  return set.some(([from, to]) => code >= from && code <= to);
}

/** The number of characters in a set. */
export function sizeOf(set: CharSet): number {
  return set.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

const keys = new WeakMap<CharSet, string>();

/** Identifies a set: equal sets have the same key. */
export function keyOf(set: CharSet): string {
  const known = keys.get(set);
  if (known !== undefined) return known;
  const key = set.join(';');
  keys.set(set, key);
  return key;
}
