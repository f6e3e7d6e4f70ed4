import { afterEach, describe, expect, test, vi } from 'vitest';
import { GpuDecoder } from '../../../../../src/engine/llamacpp/worker/gpu/gpu-decoder.ts';
import type { Batch } from '../../../../../src/engine/llamacpp/worker/batches/batch.ts';
import {
  asGpuFailure,
  GpuFailure,
} from '../../../../../src/engine/llamacpp/worker/gpu/gpu-failure.ts';
import { LlamaError } from '../../../../../src/engine/llamacpp/worker/llama-error.ts';

afterEach(() => vi.restoreAllMocks());

/** A GPU that takes so long for a batch, milliseconds. @returns reads a prompt; its batches, in tokens */
function openGpu(msOf: (tokens: number) => number) {
  let now = 0;
  let computed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const llama = {
    decode: (_context: number, tokens: readonly number[]) => void (computed = tokens.length),
    decodeImage: () => undefined,
    decodeTogether: () => undefined,
    encode: () => 0,
    logits: () => new Float32Array([1]),
  };
  // The time passes while the GPU computes, not while it is told what to compute.
  const finish = () => Promise.resolve(void (now += msOf(computed)));
  const decoder = new GpuDecoder(llama, { finish });
  return async (prompt: number) => {
    const batches: number[] = [];
    for (let left = prompt; left > 0; left -= batches.at(-1) ?? 0) {
      batches.push(Math.min(left, decoder.batchSize));
      await decoder.decode(0, Array(batches.at(-1)).fill(1), 0, 0);
    }
    return batches;
  };
}

test('a fast GPU reads ever larger batches, up to 256 tokens', async () => {
  const read = openGpu(() => 10);
  expect(await read(1000)).toEqual([32, 64, 128, 256, 256, 256, 8]);
  expect(await read(300)).toEqual([256, 44]);
});

test('the time of a batch that is not full says nothing about larger ones', async () => {
  const read = openGpu(() => 10);
  expect(await read(31)).toEqual([31]);
  expect(await read(1)).toEqual([1]);
  expect(await read(33)).toEqual([32, 1]);
  expect(await read(65)).toEqual([64, 1]);
});

test('no batch of a slow GPU keeps an abort waiting', async () => {
  const read = openGpu((tokens) => 2 * tokens);
  expect(await read(160)).toEqual([32, 32, 32, 32, 32]);
});

test('a GPU that becomes slow gets smaller batches, and larger ones when it is fast again', async () => {
  let ms = 1;
  const read = openGpu(() => ms);
  await read(1000);
  ms = 300;
  expect(await read(512)).toEqual([256, 128, 64, 32, 32]);
  ms = 1;
  expect(await read(96)).toEqual([32, 64]);
});

describe('a step of an image', () => {
  const llama = {
    decode: () => undefined,
    decodeImage: () => undefined,
    decodeTogether: () => undefined,
    encode: () => 3,
    logits: () => new Float32Array(),
  };

  test('is done when the GPU has computed it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const left = vi.fn<(steps: number) => void>();
    const step = new GpuDecoder(llama, { finish: () => promise }).encode(50).then(left);
    await Promise.resolve();
    expect(left).not.toHaveBeenCalled();
    resolve();
    await step;
    expect(left).toHaveBeenCalledExactlyOnceWith(3);
  });

  test('fails if the GPU is lost meanwhile, or llama.cpp cannot do it there', async () => {
    const lost = new GpuFailure('The GPU was lost.', 'passing');
    const finish = () => Promise.reject(lost);
    await expect(new GpuDecoder(llama, { finish }).encode(50)).rejects.toBe(lost);
    const encode = () => {
      throw new LlamaError('broken', 'It would have to wait.');
    };
    const decoder = new GpuDecoder({ ...llama, encode }, { finish: () => Promise.resolve() });
    await expect(decoder.encode(50)).rejects.toMatchObject({ name: 'GpuFailure', fault: 'final' });
  });
});

describe('tokens of answers', () => {
  /** A GPU that rounds otherwise from so many tokens in a batch on. @returns what it has computed, in order */
  function open({ differsFrom = 5, refuses }: { differsFrom?: number; refuses?: unknown } = {}) {
    const log: string[] = [];
    /** The logits of each context's last tokens. */
    const logits = new Map<number, Float32Array[]>();
    let failure: unknown;
    const compute = (batches: readonly Batch[]) => {
      const size = batches.reduce((sum, { tokens }) => sum + tokens.length, 0);
      log.push(batches.map(({ context, tokens }) => `${context}:${tokens.join(' ')}`).join('+'));
      for (const { context, tokens } of batches) {
        const error = size >= differsFrom ? 1e-6 : 0;
        logits.set(
          context,
          tokens.map((token) => Float32Array.of(token, error)),
        );
      }
    };
    const llama = {
      decode: (context: number, tokens: readonly number[], position: number) =>
        compute([{ context, tokens, position }]),
      decodeTogether: (batches: readonly Batch[]) => {
        if (refuses instanceof LlamaError) throw refuses;
        failure = refuses;
        compute(batches);
      },
      decodeImage: () => undefined,
      encode: () => 0,
      logits: (context: number, before = 0) =>
        logits.get(context)?.at(-1 - before) ?? new Float32Array(),
    };
    const finish = () => {
      const error = failure;
      failure = undefined;
      return error === undefined ? Promise.resolve() : Promise.reject(asGpuFailure(error));
    };
    const decoder = new GpuDecoder(llama, { finish });
    return { decoder, log };
  }

  const of = (context: number, ...tokens: number[]) => ({ context, tokens, position: 10 });

  test('are computed at once when the GPU has shown that they have the bits that they have alone', async () => {
    const { decoder, log } = open();
    expect(await decoder.decodeTogether([of(0, 1, 2)])).toBe(true);
    expect(log.splice(0)).toEqual(['0:1', '0:2', '0:1 2']);
    expect(await decoder.decodeTogether([of(0, 3, 4)])).toBe(true);
    expect(log).toEqual(['0:3 4']);
    expect(decoder.mostAhead(0, 1)).toBe(3);
  });

  test('are computed one by one from then on if they differ in a bit', async () => {
    const { decoder, log } = open({ differsFrom: 3 });
    expect(await decoder.decodeTogether([of(0, 1, 2, 3, 4)])).toBe(false);
    // What is in the KV cache then is of a single token.
    expect(log.splice(0).at(-1)).toBe('0:1');
    expect(decoder.mostAhead(0, 1)).toBe(2);
    expect(await decoder.decodeTogether([of(0, 1, 2, 3)])).toBe(false);
    expect(decoder.mostAhead(0, 1)).toBe(1);
    expect(await decoder.decodeTogether([of(0, 1, 2)])).toBe(true);
    log.length = 0;
    expect(await decoder.decodeTogether([of(0, 1), of(1, 2), of(2, 3)])).toBe(true);
    expect(log).toEqual(['0:1', '1:2', '0:1+1:2', '2:3']);
  });

  test('of several answers share the few tokens that a batch may have', async () => {
    const { decoder, log } = open();
    expect([1, 2, 3, 4].map((writers) => decoder.mostAhead(0, writers))).toEqual([3, 1, 0, 0]);
    // An answer that was alone when it chose its draft may have another one beside it.
    expect(await decoder.decodeTogether([of(0, 1, 2, 3, 4), of(1, 5), of(2, 6)])).toBe(true);
    log.length = 0;
    expect(await decoder.decodeTogether([of(0, 1, 2, 3, 4), of(1, 5), of(2, 6)])).toBe(true);
    expect(log).toEqual(['1:5+2:6', '0:1 2 3 4']);
  });

  test('are not computed beyond a multiple of 256 tokens, where attention is divided otherwise', () => {
    const { decoder } = open();
    expect([252, 253, 254, 255, 256].map((held) => decoder.mostAhead(held, 1))).toEqual([
      3, 2, 1, 0, 3,
    ]);
  });

  test.each([
    ['llama.cpp cannot compute several contexts', new LlamaError('failed', 'Only one.')],
    ['the GPU has no memory for it', { message: 'Out of memory.' }],
  ])('are left to be computed one by one if %s', async (_, refuses) => {
    const { decoder } = open({ refuses });
    await expect(decoder.decodeTogether([of(0, 1), of(1, 2)])).rejects.toMatchObject({
      name: 'LlamaError',
      failure: expect.stringMatching(/failed|no_memory/),
    });
    expect(await decoder.decodeTogether([of(0, 1)])).toBe(true);
  });

  test('end the worker if the GPU is lost', async () => {
    const { decoder } = open({ refuses: new DOMException('Lost.') });
    await expect(decoder.decodeTogether([of(0, 1), of(1, 2)])).rejects.toMatchObject({
      name: 'GpuFailure',
      fault: 'passing',
    });
  });
});
