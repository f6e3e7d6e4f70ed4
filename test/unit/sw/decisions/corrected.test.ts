import { expect, test } from 'vitest';
import { corrected } from '../../../../sw/decisions/corrected.ts';

const close = (...numbers: number[]) => numbers.map((each): unknown => expect.closeTo(each, 12));

test('a temperature above 1 evens the probabilities out, one below sharpens them', () => {
  expect(corrected([0.8, 0.2], 'choice', { temperature: 1 })).toEqual(close(0.8, 0.2));
  expect(corrected([0.8, 0.2], 'choice', { temperature: 2 })).toEqual(close(2 / 3, 1 / 3));
  expect(corrected([0.8, 0.2], 'choice', { temperature: 0.5 })).toEqual(close(16 / 17, 1 / 17));
});

test('a bias raises the odds of true, and of each level against the one below', () => {
  const bias = Math.log(3);
  expect(corrected([0.5, 0.5], 'predicate', { temperature: 1, bias })).toEqual(close(0.75, 0.25));
  expect(corrected([0.25, 0.25, 0.5], 'score', { temperature: 1, bias })).toEqual(
    close(1 / 22, 3 / 22, 18 / 22),
  );
});

test('what is impossible stays so', () => {
  expect(corrected([1, 0], 'predicate', { temperature: 20, bias: -20 })).toEqual([1, 0]);
});
