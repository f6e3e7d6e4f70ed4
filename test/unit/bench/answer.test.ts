import { expect, test } from 'vitest';
import {
  checkSameLength,
  checkSamePrompt,
  checkSameWork,
  type TimedAnswer,
} from '../../../bench/answer.ts';

const ANSWER: TimedAnswer = {
  firstMs: 1,
  decodeMs: 1,
  sinceNavigationMs: 1,
  text: 'Hello',
  promptTokens: 9,
  cachedTokens: 0,
  completionTokens: 2,
};

test.each([checkSameWork, checkSameLength, checkSamePrompt])('equal answers pass %o', (check) => {
  expect(() => check(ANSWER, ANSWER)).not.toThrow();
});

test('two versions of an engine may write different texts of the same length', () => {
  const other = { ...ANSWER, text: 'Hallo' };
  expect(() => checkSameWork(ANSWER, other)).toThrow('The two sides differ.');
  expect(() => checkSameLength(ANSWER, other)).not.toThrow();
});

test('two models may write answers of different lengths', () => {
  const other = { ...ANSWER, completionTokens: 3 };
  expect(() => checkSameLength(ANSWER, other)).toThrow('2 through v1, 3 directly');
  expect(() => checkSamePrompt(ANSWER, other)).not.toThrow();
});

test.each([checkSameWork, checkSameLength, checkSamePrompt])(
  'a prompt that was in a KV cache was not read: %o',
  (check) => {
    expect(() => check({ ...ANSWER, cachedTokens: 4 }, ANSWER)).toThrow('4 tokens in its KV cache');
  },
);

test('the prompts must be the same for all', () => {
  const other = { ...ANSWER, promptTokens: 8 };
  expect(() => checkSamePrompt(ANSWER, other)).toThrow('9 through v1, 8 directly');
  expect(() => checkSameLength(ANSWER, other)).toThrow('9 through v1, 8 directly');
});
