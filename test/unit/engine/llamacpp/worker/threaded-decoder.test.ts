import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BATCH_TOKENS } from '../../../../../src/core/files/gguf/gguf-memory.ts';
import type { Batch } from '../../../../../src/engine/llamacpp/worker/batches/batch.ts';
import type { Llama } from '../../../../../src/engine/llamacpp/worker/llama.ts';
import { ThreadedDecoder } from '../../../../../src/engine/llamacpp/worker/threads/threaded-decoder.ts';

afterEach(() => vi.restoreAllMocks());

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
    decodeTogether: (batches: readonly Batch[]) => {
      used.push(threads);
      now += msOf(threads) * batches.flatMap(({ tokens }) => tokens).length;
    },
    decodeImage: () => undefined,
    encode: () => 0,
    warmUp: (_context: number, tokens: number) => void used.push(threads, tokens),
    beginPrefill: () => undefined,
    continuePrefill: () => 0,
  };
  const decoder = new ThreadedDecoder(llama, { threads: undefined, ...options });
  const compute = (tokens: number, times: number) => {
    used.length = 0;
    for (let time = 0; time < times; time++) decoder.decode(0, Array(tokens).fill(1), 0, 1);
    return [...used];
  };
  const write = (tokens: number, times: number, answers = 1) => {
    used.length = 0;
    const batch = (context: number) => ({ context, tokens: Array(tokens).fill(1), position: 0 });
    for (let time = 0; time < times; time++) {
      decoder.decodeTogether(Array.from({ length: answers }, (_, context) => batch(context)));
    }
    return [...used];
  };
  const warmUp = () => {
    used.length = 0;
    decoder.warmUp(0, 50);
    return [...used];
  };
  return Object.assign(compute, { warmUp, write });
}

const idle = (threads: number) => 40 / threads;

test('batches and single tokens choose their threads on their own', () => {
  const compute = open({ mostThreads: 2 }, idle);
  expect(compute(BATCH_TOKENS, 4)).toEqual([2, 1, 2, 2]);
  expect(compute(1, 10)).toEqual([2, 2, 2, 2, 1, 1, 1, 1, 2, 2]);
});

test('tokens of answers choose their threads; several of them say nothing about speed', () => {
  const { write } = open({ mostThreads: 2 }, idle);
  expect(write(1, 3)).toEqual([2, 2, 2]);
  expect(write(4, 2)).toEqual([2, 2]);
  expect(write(1, 2, 4)).toEqual([2, 2]);
  expect(write(1, 7)).toEqual([2, 1, 1, 1, 1, 2, 2]);
});

test('the last batch of a prompt, which is smaller, says nothing about speed', () => {
  const compute = open({ mostThreads: 2 }, idle);
  expect(compute(BATCH_TOKENS - 1, 3)).toEqual([2, 2, 2]);
  expect(compute(BATCH_TOKENS, 1)).toEqual([2]);
  expect(compute(BATCH_TOKENS - 1, 1)).toEqual([2]);
  expect(compute(BATCH_TOKENS, 2)).toEqual([1, 2]);
});

test('a site can set the number, which is at most what there is', () => {
  expect(open({ mostThreads: 4, threads: 3 }, idle)(1, 3)).toEqual([3, 3, 3]);
  expect(open({ mostThreads: 1, threads: 3 }, idle)(1, 3)).toEqual([1, 1, 1]);
});

test('a warm-up is a batch with as many threads as the first one, and says nothing about speed', () => {
  const compute = open({ mostThreads: 2 }, idle);
  expect(compute.warmUp()).toEqual([2, BATCH_TOKENS]);
  expect(compute(BATCH_TOKENS, 4)).toEqual([2, 1, 2, 2]);
});

describe('the beginning of a prompt', () => {
  const TOKENS = [7, 8, 9];
  const continuePrefill = vi.fn<Llama['continuePrefill']>();
  const decode = vi.fn<Llama['decode']>();
  const nothing = () => undefined;
  let decoder: ThreadedDecoder;

  beforeEach(() => {
    continuePrefill.mockReset().mockReturnValue(3);
    decode.mockReset();
    const llama = {
      continuePrefill,
      decode,
      decodeTogether: nothing,
      beginPrefill: nothing,
      decodeImage: nothing,
      encode: () => 0,
      setThreads: nothing,
      warmUp: nothing,
    };
    decoder = new ThreadedDecoder(llama, { mostThreads: 2, threads: undefined });
    decoder.beginPrefill(5, TOKENS, true);
  });

  test('is continued with the weights that are there, and not decoded a second time', () => {
    decoder.continuePrefill([10, 20]);
    // The download needs the other core.
    expect(continuePrefill).toHaveBeenLastCalledWith(5, [10, 20], 1);
    continuePrefill.mockReturnValue(0);
    decoder.decode(5, [...TOKENS], 0, 1);
    expect(continuePrefill).toHaveBeenLastCalledWith(5, [], 2);
    expect(decode).not.toHaveBeenCalled();
    decoder.decode(5, TOKENS, 0, 1);
    expect(decode).toHaveBeenCalledOnce();
  });

  test('that is computed already is only taken', () => {
    continuePrefill.mockReturnValue(0);
    decoder.continuePrefill([]);
    decoder.continuePrefill([]);
    decoder.decode(5, TOKENS, 0, 1);
    expect(continuePrefill).toHaveBeenCalledOnce();
    expect(decode).not.toHaveBeenCalled();
  });

  test.each<[string, Parameters<Llama['decode']>]>([
    ['other tokens', [5, [7, 8, 8], 0, 1]],
    ['more tokens', [5, [7, 8, 9, 1], 0, 1]],
    ['another context', [6, TOKENS, 0, 1]],
    ['another position', [5, TOKENS, 1, 1]],
    ['no logits', [5, TOKENS, 0, 0]],
  ])('is dropped for %s', (_, asked) => {
    decoder.decode(...asked);
    expect(decode).toHaveBeenCalledWith(...asked);
    decoder.continuePrefill([]);
    expect(continuePrefill).not.toHaveBeenCalled();
  });

  test('is dropped for an image', () => {
    decoder.decodeImage(5, 0, 1, 0, true);
    decoder.decode(5, TOKENS, 0, 1);
    expect(decode).toHaveBeenCalledOnce();
  });
});
