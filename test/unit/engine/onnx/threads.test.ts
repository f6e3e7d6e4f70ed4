import { expect, test } from 'vitest';
import { speechThreads } from '../../../../src/engine/onnx/threads.ts';

const isolated = (hardwareConcurrency: number) => ({
  crossOriginIsolated: true,
  navigator: { hardwareConcurrency },
});

test('one thread for two cores, at most four', () => {
  const counts = [1, 2, 3, 4, 8, 9, 64].map((cores) => speechThreads(undefined, isolated(cores)));
  expect(counts).toEqual([1, 1, 2, 2, 4, 4, 4]);
});

test('as many as are asked for, whatever the cores', () => {
  expect(speechThreads(1, isolated(8))).toBe(1);
  expect(speechThreads(6, isolated(2))).toBe(6);
});

test('one without cross-origin isolation: threads cannot share memory there', () => {
  const other = { ...isolated(8), crossOriginIsolated: false };
  expect(speechThreads(undefined, other)).toBe(1);
  expect(speechThreads(4, other)).toBe(1);
});
