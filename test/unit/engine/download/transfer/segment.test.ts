import { expect, test } from 'vitest';
import { Segment } from '../../../../../src/engine/download/transfer/segment.ts';

const MOST = 4 * 1024 * 1024;
const bytes = (...values: number[]) => Uint8Array.from(values);

test('it takes bytes until it is full, and gives back the rest', () => {
  const segment = new Segment();
  expect(segment.add(new Uint8Array(MOST - 2).fill(7))).toHaveLength(0);
  expect(segment.isFull).toBe(false);
  expect(segment.add(bytes(1, 2, 3))).toEqual(bytes(3));
  expect(segment.isFull).toBe(true);
  expect(segment.bytes.subarray(-3)).toEqual(bytes(7, 1, 2));
});

test('what it has given away does not change any more', () => {
  const segment = new Segment();
  segment.add(bytes(1, 2));
  const given = segment.give();
  segment.add(bytes(3));
  expect(given).toEqual(bytes(1, 2));
  expect(segment.bytes).toEqual(bytes(3));
});

test('it uses memory that it is given, also if that is too small', () => {
  const segment = new Segment();
  const memory = new ArrayBuffer(4);
  segment.use(memory);
  segment.add(bytes(1, 2));
  expect(segment.bytes.buffer).toBe(memory);
  segment.add(bytes(3, 4, 5));
  expect(segment.bytes).toEqual(bytes(1, 2, 3, 4, 5));
});
