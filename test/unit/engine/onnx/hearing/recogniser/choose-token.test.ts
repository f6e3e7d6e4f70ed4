import { expect, test } from 'vitest';
import { chooseToken } from '../../../../../../src/engine/onnx/hearing/recogniser/choose-token.ts';

/** Tokens 0 to 9 are text, 10 is the end, 11 to 14 are marks, 15 and more are times. */
const config = {
  tokens: { start: 11, end: 10, noTimes: 14, firstTime: 15, languages: {} },
  suppressed: [3],
  suppressedFirst: [10],
};

/** The token that is chosen if these are the likely ones, the first the likeliest. */
function chosen(likely: number[], written: number[], withTimes = true): number {
  const logits = new Float32Array(120).fill(-20);
  for (const [place, token] of likely.entries()) logits[token] = 20 - place;
  const options = { config, withTimes, temperature: 0, random: () => 0 };
  return chooseToken(logits, written, options).token;
}

test('a text begins with a time, which is not late', () => {
  expect(chosen([5, 18], [])).toBe(18);
  expect(chosen([90, 20], [])).toBe(20);
  expect(chosen([10, 18, 5], [], false)).toBe(5);
});

test('what is suppressed is never written, nor are marks', () => {
  expect(chosen([3, 12, 7], [15])).toBe(7);
});

test('after a time that ends a text, another one follows or the end', () => {
  expect(chosen([4, 30], [15, 4, 30])).toBe(30);
  expect(chosen([4, 10], [15, 4, 30])).toBe(10);
});

test('after two times in a row, text follows', () => {
  expect(chosen([31, 6], [15, 4, 30, 30])).toBe(6);
});

test('times never go back, and no segment is empty', () => {
  expect(chosen([20, 40], [15, 4, 30, 30, 5])).toBe(40);
  expect(chosen([30, 40], [15, 4, 30, 30, 5])).toBe(40);
});

test('a time is written if times together are likelier than any other token', () => {
  const logits = new Float32Array(120).fill(-20);
  logits[6] = 2;
  for (let token = 40; token < 60; token++) logits[token] = 0;
  const options = { config, withTimes: true, temperature: 0, random: () => 0 };
  expect(chooseToken(logits, [15, 4], options).token).toBeGreaterThanOrEqual(40);
});

test('without times, none are written', () => {
  expect(chosen([40, 6], [5], false)).toBe(6);
});

test('at a temperature, tokens are drawn as likely as they are', () => {
  const draw = (random: number) => {
    const logits = new Float32Array(120).fill(-Infinity);
    [logits[5], logits[6]] = [Math.log(0.25), Math.log(0.75)];
    const options = { config, withTimes: false, temperature: 1, random: () => random };
    return chooseToken(logits, [7], options);
  };
  expect([draw(0.1).token, draw(0.3).token, draw(0.999).token]).toEqual([5, 6, 6]);
  expect(draw(0.1).logprob).toBeCloseTo(Math.log(0.25), 5);
});
