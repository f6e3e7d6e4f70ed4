import type { CharSet } from '../regular/char-set.ts';

type ByteRange = readonly [from: number, to: number];

/** The code points that take one byte, two, three and four. */
const LENGTHS: ByteRange[] = [
  [0, 0x7f],
  [0x80, 0x7ff],
  [0x800, 0xffff],
  [0x10000, 0x10ffff],
];

/** Sequences of byte ranges that match exactly the UTF-8 encodings of a set of characters. */
export function utf8Sequences(set: CharSet): ByteRange[][] {
  return set.flatMap(([from, to]) =>
    LENGTHS.flatMap(([low, high]) => {
      const first = Math.max(from, low);
      const last = Math.min(to, high);
      return first > last ? [] : split(bytesOf(first), bytesOf(last));
    }),
  );
}

/**
 * The encodings between two of the same length, both included. If the first bytes are equal, only the rest is split.
 * Otherwise there are three parts: encodings that begin with the lowest byte, with a byte in between, and with the
 * highest byte.
 */
function split(from: number[], to: number[]): ByteRange[][] {
  const [a = 0, ...fromRest] = from;
  const [b = 0, ...toRest] = to;
  if (fromRest.length === 0) return [[[a, b]]];
  const after = (range: ByteRange, rest: ByteRange[][]) => rest.map((bytes) => [range, ...bytes]);
  if (a === b) return after([a, a], split(fromRest, toRest));
  const lowest = fromRest.map(() => 0x80);
  const highest = fromRest.map(() => 0xbf);
  const startsLow = fromRest.every((byte) => byte === 0x80);
  const endsHigh = toRest.every((byte) => byte === 0xbf);
  const low = startsLow ? a : a + 1;
  const high = endsHigh ? b : b - 1;
  return [
    ...(startsLow ? [] : after([a, a], split(fromRest, highest))),
    ...(low > high ? [] : after([low, high], split(lowest, highest))),
    ...(endsHigh ? [] : after([b, b], split(lowest, toRest))),
  ];
}

function bytesOf(code: number): number[] {
  return [...new TextEncoder().encode(String.fromCodePoint(code))];
}
