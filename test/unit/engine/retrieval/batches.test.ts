import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextSlices } from '../../../../src/engine/retrieval/text-slices.ts';
import { tokenBatches } from '../../../../src/engine/retrieval/token-batches.ts';

test('a batch has texts of similar lengths, the longest first, and few tokens', () => {
  expect(tokenBatches([3, 9, 2, 3], 9)).toEqual([[1], [0, 3, 2]]);
  expect(tokenBatches([20, 4], 9)).toEqual([[0], [1]]);
  expect(tokenBatches([])).toEqual([]);
});

test('every text is in one batch, and no batch is too large unless it is a single text', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 100 });
  fc.assert(
    fc.property(lengths, (all) => {
      const batches = tokenBatches(all, 512);
      expect(batches.flat().toSorted((a, b) => a - b)).toEqual([...all.keys()]);
      for (const batch of batches) {
        const longest = Math.max(...batch.map((index) => all[index] ?? 0));
        expect(batch.length === 1 || longest * batch.length <= 512).toBe(true);
      }
    }),
  );
});

/** The places of each slice, if each takes this long, milliseconds. */
function placesOf(texts: string[], ms = 100, places?: number[]): number[][] {
  const slices = new TextSlices(texts, places);
  const all: number[][] = [];
  for (let slice = slices.next(); slice; slice = slices.next()) {
    expect(slice.texts).toEqual(
      slice.places.map((place) => texts[places?.indexOf(place) ?? place]),
    );
    all.push(slice.places);
    slices.took(ms);
  }
  return all;
}

const sizesOf = (slices: number[][]) => slices.map(({ length }) => length);
const short = (count: number) => Array.from({ length: count }, () => 'a');

test('slices of texts keep the places of the texts, the longest text first', () => {
  expect(placesOf(['a', 'abc', 'ab'])).toEqual([[1, 2, 0]]);
  expect(placesOf(['a', 'ab'], 100, [7, 9])).toEqual([[9, 7]]);
  expect(placesOf([])).toEqual([]);
});

test('a slice has at most 32 texts and 8,000 characters, unless it is a single text', () => {
  expect(sizesOf(placesOf(short(100)))).toEqual([32, 32, 32, 4]);
  const long = 'x'.repeat(9_000);
  expect(placesOf([long, 'a', long])).toEqual([[0], [2], [1]]);
});

test('the faster a slice was, the larger is the next one, within limits', () => {
  expect(sizesOf(placesOf(short(2_048), 1))).toEqual([32, 64, 128, 256, 512, 512, 512, 32]);
  expect(sizesOf(placesOf(short(68), 5_000))).toEqual([32, 16, 8, 4, 2, 2, 2, 2]);
  expect(sizesOf(placesOf(short(72), 150))).toEqual([32, 21, 14, 5]);
});
