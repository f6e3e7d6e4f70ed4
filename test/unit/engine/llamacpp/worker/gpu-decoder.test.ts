import { afterEach, describe, expect, test, vi } from 'vitest';
import { GpuDecoder } from '../../../../../src/engine/llamacpp/worker/gpu/gpu-decoder.ts';
import { GpuFailure } from '../../../../../src/engine/llamacpp/worker/gpu/gpu-failure.ts';
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
