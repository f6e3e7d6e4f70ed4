import { expect, test } from 'vitest';
import { LoopGuard } from '../../../../src/console/chat/answer/loop-guard.ts';

/** How many pieces are read until the guard notices a loop; Infinity: it does not. */
function noticedAfter(pieces: readonly string[]): number {
  const guard = new LoopGuard();
  const at = pieces.findIndex((piece) => guard.add(piece));
  return at < 0 ? Infinity : at;
}

test('phrases and paragraphs that repeat are noticed, also in the middle of a word', () => {
  const phrase = Array.from({ length: 200 }, () => 'Abe a sea of dreams, ');
  expect(noticedAfter(['Once upon a time. ', ...phrase])).toBeLessThan(30);
  const verse =
    'A city that never sleeps, a place where the sea meets the sky, and gulls cry. '.repeat(2);
  const letters = Array.from(`A poem.\n${verse.repeat(10)}`);
  expect(noticedAfter(letters)).toBeLessThan(1600);
  const [beauty = '', sorrow = ''] = ['beauty', 'sorrow'].map(
    (what) =>
      `The sea is a place of ${what}, where ${what} is born,\nA place where the soul finds its own way,\nA place where the soul finds its own rhythm,\nA place where the soul finds its own way.\n\n`,
  );
  expect(noticedAfter(Array.from({ length: 40 }, () => beauty + sorrow))).toBeLessThan(8);
});

test('texts with a pattern that changes are no loop', () => {
  const counting = Array.from(
    { length: 3_000 },
    (_, number) => `Line ${number} of the same kind\n`,
  );
  expect(noticedAfter(counting)).toBe(Infinity);
  expect(noticedAfter(Array.from({ length: 2_000 }, () => '-'))).toBe(Infinity);
  expect(noticedAfter(Array.from({ length: 500 }, () => '|   |   |   |\n'))).toBe(Infinity);
  expect(noticedAfter(Array.from({ length: 10 }, () => 'No, no, no! '))).toBe(Infinity);
});
