import { expect, test } from 'vitest';
import {
  quantiseEmbedding,
  quantiseLinear,
} from '../../../../../src/node/pack/formats/quantise.ts';
import { weights } from '../tiny-llama.ts';

const K = 128;
const N = 24;

/** Bits `from` to `from + bits` of a word. */
function bitsOf(word: number | undefined, from: number, bits: number): number {
  return ((word ?? NaN) >>> from) & ((1 << bits) - 1);
}

/** The value at row k and column n of a linear weight, as models/QUANTISATION.md defines it. */
function linearValue({ q, s, c }: ReturnType<typeof quantiseLinear>, n: number, k: number) {
  const group = Math.floor(k / 32);
  const scales = s[Math.floor(group / 2) * N + n];
  const dq = bitsOf(scales, 16 * (group % 2), 8);
  const mq = bitsOf(scales, 16 * (group % 2) + 8, 8);
  const value = bitsOf(q[Math.floor(k / 8) * N + n], 4 * (k % 8), 4);
  const step = (c[n] ?? NaN) * dq;
  return { step, value: step * value - (c[N + n] ?? NaN) * mq };
}

function embeddingValue(e: ReturnType<typeof quantiseEmbedding>, token: number, k: number) {
  const group = Math.floor(k / 32);
  const step =
    (e.c[token] ?? NaN) * bitsOf(e.s[Math.floor(group / 4) * N + token], 8 * (group % 4), 8);
  const low = bitsOf(e.lo[Math.floor(k / 8) * N + token], 4 * (k % 8), 4);
  const high = bitsOf(e.hi[Math.floor(k / 16) * N + token], 2 * (k % 16), 2);
  return { step, value: step * (low + 16 * high - 32) };
}

test('values that fit exactly are stored exactly, the first in the lowest bits', () => {
  const rising = Float32Array.from({ length: 64 }, (_, k) => (k % 16) - 5);
  const { q, s, c } = quantiseLinear(rising, 64);
  expect([...q.subarray(0, 2)]).toEqual([0x76543210, 0xfedcba98]);
  expect([...s]).toEqual([0xffffffff]);
  expect([...c]).toEqual([Math.fround(1 / 255), Math.fround(5 / 255)]);
});

test('dq and mq of two groups share a word, in order', () => {
  const column = Float32Array.from({ length: 64 }, (_, k) => (k < 32 ? -(k % 2) : -3 * (k % 2)));
  const { s, c } = quantiseLinear(column, 64);
  expect([...s]).toEqual([0xffff5555]);
  expect(c[0]).toBe(Math.fround(Math.fround(3 / 15) / 255));
});

test('a column of zeros gets the scale 1', () => {
  const { q, s, c } = quantiseLinear(new Float32Array(64), 64);
  expect([...q]).toEqual(Array(8).fill(0));
  expect([...s, ...c]).toEqual([0x00010001, 1, 1]);
});

test('a linear weight is off by at most half a step plus the rounding of its scales', () => {
  const rows = weights('linear', N * K);
  const quantised = quantiseLinear(rows, K);
  for (let n = 0; n < N; n++) {
    const scaleError = 7.5 * (quantised.c[n] ?? 0) + 0.5 * (quantised.c[N + n] ?? 0);
    for (let k = 0; k < K; k++) {
      const { step, value } = linearValue(quantised, n, k);
      const error = Math.abs(value - (rows[n * K + k] ?? NaN));
      expect(error).toBeLessThan(step / 2 + 2 * scaleError);
    }
  }
});

test('an embedding is off by at most half a step plus the rounding of its scale', () => {
  const rows = weights('embedding', N * K);
  const quantised = quantiseEmbedding(rows, K);
  for (let token = 0; token < N; token++) {
    for (let k = 0; k < K; k++) {
      const { step, value } = embeddingValue(quantised, token, k);
      const error = Math.abs(value - (rows[token * K + k] ?? NaN));
      expect(error).toBeLessThan(step / 2 + 31 * (quantised.c[token] ?? 0));
    }
  }
});

test('an embedding is split into low and high bits', () => {
  const row = Float32Array.from({ length: 32 }, (_, k) => k - 31);
  const { lo, hi, s, c } = quantiseEmbedding(row, 32);
  // q goes from 1 to 32.
  expect([...lo]).toEqual([0x87654321, 0x0fedcba9, 0x87654321, 0x0fedcba9]);
  expect([...hi]).toEqual([0x40000000, 0x95555555]);
  expect([...s]).toEqual([255]);
  expect([...c]).toEqual([Math.fround(1 / 255)]);
});

test('NaN and infinity are refused', () => {
  const rows = weights('x', 64);
  for (const bad of [NaN, Infinity, -Infinity]) {
    rows[40] = bad;
    expect(() => quantiseLinear(rows, 64)).toThrow('A weight is not a finite number.');
    expect(() => quantiseEmbedding(rows, 64)).toThrow('A weight is not a finite number.');
  }
});

test('sizes that do not fill the words are refused', () => {
  expect(() => quantiseLinear(new Float32Array(96), 96)).toThrow(
    '96 inputs, which is not a multiple of 64',
  );
  expect(() => quantiseEmbedding(new Float32Array(48), 48)).toThrow(
    '48 values, which is not a multiple of 32',
  );
});
