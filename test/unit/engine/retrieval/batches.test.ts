import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { textSlices } from '../../../../src/engine/retrieval/text-slices.ts';
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

test('slices of texts keep the places of the texts', () => {
  expect(textSlices(['a', 'abc', 'ab'])).toEqual([
    { texts: ['abc', 'ab', 'a'], places: [1, 2, 0] },
  ]);
  expect(textSlices(['a', 'ab'], [7, 9])).toEqual([{ texts: ['ab', 'a'], places: [9, 7] }]);
  const long = 'x'.repeat(9_000);
  expect(textSlices([long, 'a', long]).map(({ places }) => places)).toEqual([[0], [2], [1]]);
  const many = textSlices(Array.from({ length: 100 }, () => 'a'));
  expect(many.map(({ places }) => places.length)).toEqual([32, 32, 32, 4]);
});
