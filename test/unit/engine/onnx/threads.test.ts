import { expect, test } from 'vitest';
import { threadCount } from '../../../../src/engine/onnx/threads.ts';

const isolated = (hardwareConcurrency: number, userAgent = 'Chrome/153') => ({
  crossOriginIsolated: true,
  SharedArrayBuffer,
  navigator: { hardwareConcurrency, userAgent },
});

test('by default one thread for two cores, at most four', () => {
  const counts = [1, 2, 3, 4, 8, 9, 64].map((cores) => threadCount(undefined, isolated(cores)));
  expect(counts).toEqual([1, 1, 2, 2, 4, 4, 4]);
});

test('as many as asked for, whatever the number of cores', () => {
  expect(threadCount(1, isolated(8))).toBe(1);
  expect(threadCount(6, isolated(2))).toBe(6);
});

test('one without cross-origin isolation, where threads cannot share memory', () => {
  const other = { ...isolated(8), crossOriginIsolated: false };
  expect(threadCount(undefined, other)).toBe(1);
  expect(threadCount(4, other)).toBe(1);
});

test('one in Firefox, where a worker that starts others may hang', () => {
  const firefox = isolated(
    8,
    'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
  );
  expect(threadCount(undefined, firefox)).toBe(1);
  expect(threadCount(4, firefox)).toBe(1);
});
