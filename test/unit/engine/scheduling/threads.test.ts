import { describe, expect, test } from 'vitest';
import {
  llamacppThreads,
  onnxThreads,
  type ThreadScope,
} from '../../../../src/engine/scheduling/threads.ts';

const isolated = (hardwareConcurrency: number, userAgent = 'Chrome/153'): ThreadScope => ({
  crossOriginIsolated: true,
  SharedArrayBuffer,
  navigator: { hardwareConcurrency, userAgent },
});

test('by default llama.cpp may use a thread for each core, at most eight', () => {
  const counts = [1, 4, 8, 64].map((cores) => llamacppThreads(undefined, isolated(cores)));
  expect(counts.map(({ count }) => count)).toEqual([1, 4, 8, 8]);
  expect(counts[3]).toEqual({ count: 8, limit: 8, reason: 'cores' });
});

test('by default ONNX Runtime has one thread for two cores, at most four', () => {
  const counts = [1, 2, 3, 4, 8, 9, 64].map((cores) => onnxThreads(undefined, isolated(cores)));
  expect(counts.map(({ count }) => count)).toEqual([1, 1, 2, 2, 4, 4, 4]);
  expect(counts[6]).toEqual({ count: 4, limit: 4, reason: 'cores' });
});

describe.each([
  ['llama.cpp', llamacppThreads],
  ['ONNX Runtime', onnxThreads],
] as const)('%s', (_engine, threads) => {
  test('has as many as the site asks for, whatever the number of cores', () => {
    expect(threads(1, isolated(8))).toMatchObject({ count: 1, reason: 'site' });
    expect(threads(12, isolated(2))).toMatchObject({ count: 12, reason: 'site' });
  });

  test.each([
    // Threads cannot share memory.
    ['not-isolated', { ...isolated(8), crossOriginIsolated: false }],
    ['no-shared-memory', { ...isolated(8), SharedArrayBuffer: undefined }],
    // A worker that starts others may hang.
    ['firefox', isolated(8, 'Mozilla/5.0 (X11; rv:153.0) Gecko/20100101 Firefox/153.0')],
  ] as const)('has one, whatever the site asks for: %s', (reason, scope) => {
    expect(threads(undefined, scope)).toMatchObject({ count: 1, reason });
    expect(threads(4, scope)).toMatchObject({ count: 1, reason });
  });
});
