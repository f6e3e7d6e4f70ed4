import { describe, expect, test } from 'vitest';
import { drawToken } from '../../../../../src/engine/conversation/sampling/draw-token.ts';
import { RandomNumbers } from '../../../../../src/engine/conversation/sampling/random-numbers.ts';

const logitsOf = (...chances: number[]) => Float32Array.from(chances, Math.log);

/** How often each token is drawn, as a part of all draws. */
function shares(logits: Float32Array, sampling: { temperature: number; topP?: number }) {
  const numbers = new RandomNumbers({ seed: 1, choice: 0, drawn: 0 });
  const counts = Array.from(logits, () => 0);
  const draws = 8_000;
  for (let draw = 0; draw < draws; draw++) {
    const token = drawToken(logits, sampling, numbers.next()) ?? -1;
    counts[token] = (counts[token] ?? 0) + 1;
  }
  return counts.map((count) => count / draws);
}

function expectClose(actual: number[], expected: number[]) {
  expect(actual).toHaveLength(expected.length);
  for (const [place, share] of expected.entries()) expect(actual[place]).toBeCloseTo(share, 1.5);
}

const CHANCES = [0.1, 0.5, 0.15, 0.25];
const LOGITS = logitsOf(...CHANCES);

test('at temperature 1, each token is drawn as often as it is likely', () => {
  expectClose(shares(LOGITS, { temperature: 1 }), CHANCES);
});

test('a low temperature favours the likely tokens, a high one the unlikely', () => {
  const squares = CHANCES.map((chance) => chance ** 2);
  const sum = squares.reduce((all, each) => all + each, 0);
  expectClose(
    shares(LOGITS, { temperature: 0.5 }),
    squares.map((square) => square / sum),
  );
  expectClose(shares(LOGITS, { temperature: 1e6 }), [0.25, 0.25, 0.25, 0.25]);
});

describe('at temperature 0', () => {
  test('it is the likeliest token, whatever the number', () => {
    for (const random of [1e-9, 0.5, 1 - 1e-9]) {
      expect(drawToken(LOGITS, { temperature: 0 }, random)).toBe(1);
    }
  });

  test('it is the first of several that are equally likely', () => {
    expect(drawToken(Float32Array.of(1, 3, 3, 2), { temperature: 0 }, 0.9)).toBe(1);
  });
});

describe('top_p', () => {
  test('leaves the fewest of the likeliest tokens that reach it', () => {
    expectClose(shares(LOGITS, { temperature: 1, topP: 0.7 }), [0, 2 / 3, 0, 1 / 3]);
    expectClose(shares(LOGITS, { temperature: 1, topP: 0.8 }), [
      0,
      0.5 / 0.9,
      0.15 / 0.9,
      0.25 / 0.9,
    ]);
  });

  test('of 0 leaves only the likeliest', () => {
    expect(drawToken(LOGITS, { temperature: 2, topP: 0 }, 0.999)).toBe(1);
  });

  test('applies at the temperature', () => {
    // At temperature 0.5, the likeliest token alone has a probability of 0.73.
    expectClose(shares(LOGITS, { temperature: 0.5, topP: 0.7 }), [0, 1, 0, 0]);
  });

  test('of equally likely tokens leaves the first ones', () => {
    const flat = new Float32Array(5000);
    const drawn = new Set<number | undefined>();
    const numbers = new RandomNumbers({ seed: 1, choice: 0, drawn: 0 });
    for (let draw = 0; draw < 200; draw++) {
      drawn.add(drawToken(flat, { temperature: 1, topP: 0.5 }, numbers.next()));
    }
    expect(Math.max(...[...drawn].map(Number))).toBeLessThan(2500);
    expect(drawn.size).toBeGreaterThan(150);
  });

  test('just below 1 may leave all tokens', () => {
    const shaken = shares(LOGITS, { temperature: 1, topP: 1 - 1e-12 });
    expectClose(shaken, CHANCES);
  });
});

test('a masked token is never drawn', () => {
  const masked = Float32Array.of(-Infinity, 0, -Infinity);
  for (const random of [1e-12, 0.5, 1 - 1e-12]) {
    for (const topP of [1, 0.9, 0]) {
      expect(drawToken(masked, { temperature: 1, topP }, random)).toBe(1);
    }
  }
});

test('an infinite logit is the likeliest', () => {
  for (const topP of [1, 0.5]) {
    const logits = Float32Array.of(-Infinity, 1, Infinity, Infinity);
    expect(drawToken(logits, { temperature: 1, topP }, 0.9)).toBe(2);
  }
});

test('a temperature close to 0 leaves only the likeliest token', () => {
  expect(drawToken(LOGITS, { temperature: 5e-324, topP: 5e-324 }, 0.999)).toBe(1);
});

test('there is no token if all are masked or the logits are no numbers', () => {
  for (const temperature of [0, 1]) {
    expect(drawToken(Float32Array.of(-Infinity, -Infinity), { temperature }, 0.5)).toBeUndefined();
    expect(drawToken(Float32Array.of(1, NaN), { temperature }, 0.5)).toBeUndefined();
  }
});
