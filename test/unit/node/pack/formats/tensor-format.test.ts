import { expect, test } from 'vitest';
import {
  BF16,
  F16,
  F32,
  half,
  Q4_1,
  Q8_0,
} from '../../../../../src/node/pack/formats/tensor-format.ts';

function decode(format: typeof F32, bytes: number[], count: number): number[] {
  const values = new Float32Array(count);
  format.decode(Uint8Array.from(bytes), values);
  return [...values];
}

test.each([
  [0x3c00, 1],
  [0xc000, -2],
  [0x7bff, 65504],
  [0x0001, 2 ** -24],
  [0x0400, 2 ** -14],
  [0x7c00, Infinity],
])('a half of bits %i is %f', (bits, value) => {
  expect(half(bits)).toBe(value);
});

test('the sign of zero and NaN survive', () => {
  expect(half(0x8000)).toBe(-0);
  expect(half(0x7e00)).toBeNaN();
});

test('plain formats are read little-endian', () => {
  expect(decode(F32, [0, 0, 0x80, 0x3f], 1)).toEqual([1]);
  expect(decode(F16, [0, 0x3c, 0, 0xc0], 2)).toEqual([1, -2]);
  expect(decode(BF16, [0x80, 0x3f, 0x20, 0xc1], 2)).toEqual([1, -10]);
});

test('Q4_1: the low nibbles come first, scaled and shifted', () => {
  const nibbles = Array.from({ length: 16 }, (_, i) => i | ((15 - i) << 4));
  const values = decode(Q4_1, [0, 0x38, 0, 0xc0, ...nibbles], 32);
  const rising = Array.from({ length: 16 }, (_, i) => 0.5 * i - 2);
  expect(values).toEqual([...rising, ...rising.toReversed()]);
});

test('Q8_0: signed bytes, scaled, block after block', () => {
  const block = (scale: number, value: number) => [
    0,
    scale,
    ...Array<number>(32).fill(value & 255),
  ];
  const values = decode(Q8_0, [...block(0x38, -128), ...block(0x3c, 127)], 64);
  expect(values).toEqual([...Array<number>(32).fill(-64), ...Array<number>(32).fill(127)]);
});
