import { afterEach, expect, test, vi } from 'vitest';
import { ThreadedDecoder } from '../../../../src/engine/llamacpp/threaded-decoder.ts';

afterEach(() => vi.restoreAllMocks());

const BATCH = 4;

/** Computes with a llama.cpp whose steps take `msOf` milliseconds; returns the threads of each step. */
function open(
  options: { mostThreads: number; threads?: number },
  msOf: (threads: number) => number,
) {
  let now = 0;
  let threads = 1;
  const used: number[] = [];
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const llama = {
    setThreads: (_context: number, count: number) => void (threads = count),
    decode: (_context: number, tokens: readonly number[]) => {
      used.push(threads);
      now += msOf(threads) * tokens.length;
    },
    decodeImage: () => undefined,
    encode: () => 0,
    warmUp: (_context: number, tokens: number) => void used.push(threads, tokens),
  };
  const decoder = new ThreadedDecoder(llama, { batchSize: BATCH, threads: undefined, ...options });
  const compute = (tokens: number, times: number) => {
    used.length = 0;
    for (let time = 0; time < times; time++) decoder.decode(0, Array(tokens).fill(1), 0, true);
    return [...used];
  };
  const warmUp = () => {
    used.length = 0;
    decoder.warmUp(0, 50);
    return [...used];
  };
  return Object.assign(compute, { warmUp });
}

const idle = (threads: number) => 40 / threads;

test('batches and single tokens choose their threads on their own', () => {
  const compute = open({ mostThreads: 2 }, idle);
  expect(compute(BATCH, 4)).toEqual([2, 1, 2, 2]);
  expect(compute(1, 10)).toEqual([2, 2, 2, 2, 1, 1, 1, 1, 2, 2]);
});

test('the last batch of a prompt, which is smaller, says nothing about speed', () => {
  const compute = open({ mostThreads: 2 }, idle);
  expect(compute(BATCH - 1, 3)).toEqual([2, 2, 2]);
  expect(compute(BATCH, 1)).toEqual([2]);
  expect(compute(BATCH - 1, 1)).toEqual([2]);
  expect(compute(BATCH, 2)).toEqual([1, 2]);
});

test('a site can set the number, which is at most what there is', () => {
  expect(open({ mostThreads: 4, threads: 3 }, idle)(1, 3)).toEqual([3, 3, 3]);
  expect(open({ mostThreads: 1, threads: 3 }, idle)(1, 3)).toEqual([1, 1, 1]);
});

test('a warm-up is a batch with as many threads as the first one, and says nothing about speed', () => {
  const compute = open({ mostThreads: 2 }, idle);
  expect(compute.warmUp()).toEqual([2, BATCH]);
  expect(compute(BATCH, 4)).toEqual([2, 1, 2, 2]);
});
