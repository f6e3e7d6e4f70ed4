import { expect, test } from 'vitest';
import { ByteRate } from '../../../../../src/engine/download/transfer/byte-rate.ts';

test('a rate needs half a second, and ignores old samples', () => {
  const rate = new ByteRate();
  rate.add(0, 0);
  rate.add(100, 400);
  expect(rate.bytesPerSecond).toBe(0);
  rate.add(1000, 1000);
  expect(rate.bytesPerSecond).toBe(1000);
  for (let at = 2000; at <= 20_000; at += 1000) rate.add(1000, at);
  expect(rate.bytesPerSecond).toBe(0);
});

test('a rate restarts when the count falls', () => {
  const rate = new ByteRate();
  rate.add(5000, 0);
  rate.add(9000, 1000);
  rate.add(0, 2000);
  rate.add(500, 3000);
  expect(rate.bytesPerSecond).toBe(500);
});
