import { expect, test, vi } from 'vitest';
import { AnswerLength } from '../../../../src/page/built-in/answer-length.ts';

/** Tokens of three characters. */
const count = async (text: string) => Math.ceil(text.length / 3);

test('nothing is measured while the bytes alone are within the limit', async () => {
  const measure = vi.fn(count);
  const length = new AnswerLength(measure, 10);
  for (const piece of ['ab', 'cd', 'é']) expect(await length.takes(piece)).toBe(true);
  expect(measure).not.toHaveBeenCalled();
  expect(await length.count()).toBe(2);
});

test('an answer has at most as many tokens as it may, and is measured seldom', async () => {
  const measure = vi.fn(count);
  const length = new AnswerLength(measure, 20);
  let pieces = 0;
  while (await length.takes('abc')) pieces++;
  expect(pieces).toBe(20);
  expect(await length.count()).toBe(20);
  expect(measure.mock.calls.length).toBeLessThan(12);
});

test('an empty answer has no tokens', async () => {
  expect(await new AnswerLength(count, 0).count()).toBe(0);
});
