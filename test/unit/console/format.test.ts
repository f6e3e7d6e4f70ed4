import { describe, expect, test } from 'vitest';
import {
  formatBytes,
  formatBytesOf,
  formatPercent,
  formatRate,
  formatSeconds,
} from '../../../src/console/ui/format.ts';

describe('formatBytes', () => {
  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [7_440_000, '7.44 MB'],
    [88_100_000, '88.1 MB'],
    [351_400_000, '351 MB'],
    [1_830_000_000, '1.83 GB'],
    [4_200_000_000_000_000, '4200 TB'],
  ])('%d is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  test('rounds up into the next unit rather than to 1000', () => {
    expect(formatBytes(999_999)).toBe('1 MB');
    expect(formatBytes(999_700_000)).toBe('1 GB');
  });
});

describe('formatBytesOf', () => {
  test('gives both in the unit of the total', () => {
    expect(formatBytesOf(200, 88_100_000)).toBe('0.0 of 88.1 MB');
    expect(formatBytesOf(730_000_000, 1_830_000_000)).toBe('0.73 of 1.83 GB');
    expect(formatBytesOf(12, 900)).toBe('12 of 900 B');
  });

  test('gives only the loaded bytes while the total is not known', () => {
    expect(formatBytesOf(12_300_000, 0)).toBe('12.3 MB');
  });
});

test('a percentage is whole, and 100 only at the end', () => {
  expect(formatPercent(0)).toBe('0%');
  expect(formatPercent(0.999)).toBe('99%');
  expect(formatPercent(1)).toBe('100%');
  expect(formatPercent(1.2)).toBe('100%');
});

test.each([
  [0.156, '0.16 s'],
  [8.14, '8.1 s'],
  [41.6, '42 s'],
  [59.7, '1 min'],
  [190, '3 min'],
  [3599, '1.0 h'],
  [9000, '2.5 h'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});

test('a rate has one decimal below 100 and none above', () => {
  expect(formatRate(0.84)).toBe('0.8');
  expect(formatRate(18.44)).toBe('18.4');
  expect(formatRate(128.4)).toBe('128');
});
