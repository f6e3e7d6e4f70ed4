import { charsOf, difference, intersection, keyOf, union, type CharSet } from './char-set.ts';

const range = (from: string, to: string): CharSet => [
  [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0],
];

/**
 * Disjoint sets that make up the ASCII characters that a JSON string can have unescaped. Characters that are usual in
 * names are in small groups.
 */
const GROUPS: readonly CharSet[] = [
  range('a', 'z'),
  range('A', 'Z'),
  range('0', '9'),
  charsOf(' '),
  charsOf('_-.$@/'),
  charsOf("!#%&'()*+,:;<=>?[]^`{|}~\u007f"),
];

/**
 * Splits a set into parts that other sets are likely to have too: whole groups, single characters of the other
 * groups, and the rest.
 */
export function characterGroups(set: CharSet): CharSet[] {
  const parts = GROUPS.flatMap((group) => {
    const common = intersection(set, group);
    return keyOf(common) === keyOf(group) ? [group] : single(common);
  });
  const rest = GROUPS.reduce(difference, set);
  return rest.length > 0 ? [...parts, rest] : parts;
}

function single(set: CharSet): CharSet[] {
  return set.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index): CharSet => [[from + index, from + index]]),
  );
}

/** Splits sets into disjoint parts: each of the given sets is a union of some of them. */
export function commonParts(sets: readonly CharSet[]): CharSet[] {
  const distinct = new Map(sets.map((set) => [keyOf(set), set]));
  return [...distinct.values()].reduce(
    (parts, set) =>
      parts
        .flatMap((part) => [intersection(part, set), difference(part, set)])
        .filter((part) => part.length > 0),
    [union(...sets)],
  );
}
