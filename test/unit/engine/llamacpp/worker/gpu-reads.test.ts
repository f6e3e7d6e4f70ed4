import { expect, test, vi } from 'vitest';
import { FakeGpu } from '../../../support/fakes/fake-gpu.ts';
import { GpuWorker, trust } from '../../../support/models/gpu-worker.ts';

// Compiling llama.cpp takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Tokens that the model knows. */
const VOCABULARY = 259;

/** @returns how often the GPU was given an empty list of work while a model was loaded and wrote some tokens */
async function emptyLists(isSlowToTell: boolean, userAgent: string): Promise<number> {
  const fake = new FakeGpu();
  fake.isSlowToTell = isSlowToTell;
  let empty = 0;
  fake.onSubmit = (length) => void (length === 0 && empty++);
  await trust(fake);
  const worker = new GpuWorker({ gpu: fake.gpu, userAgent });
  expect(await worker.load()).toBe('loaded');
  expect(await worker.answer('Hello')).toBe('finished');
  return empty;
}

test('Firefox, which tells only when it is given work that the GPU is done, is given some for each read', async () => {
  // The prompt, and two tokens.
  expect(await emptyLists(true, 'Firefox/153.0')).toBeGreaterThanOrEqual(3);
});

test('nothing is read of the GPU but the logits of each token', async () => {
  const fake = new FakeGpu();
  await trust(fake);
  const worker = new GpuWorker(fake);
  await worker.load();
  expect(fake.readBytes).toBe(0);
  // The prompt has a batch and some tokens, which gives no logits but those of the last one.
  expect(await worker.answer('Hello '.repeat(10))).toBe('finished');
  expect(fake.readBytes).toBe(3 * VOCABULARY * Float32Array.BYTES_PER_ELEMENT);
});

test('other browsers are not asked', async () => {
  expect(await emptyLists(false, 'Chrome/140')).toBe(0);
});

test.each([
  ['GeForce', 'uniform'],
  ['llvmpipe (LLVM 15.0.6, 256 bits)', 'storage'],
])('the parameters of kernels on %s are in %s buffers', async (description, kind) => {
  const fake = new FakeGpu();
  fake.info.description = description;
  const codes: string[] = [];
  fake.onNewShader = (code) => void codes.push(code);
  await trust(fake);
  const worker = new GpuWorker(fake);
  await worker.load();
  expect(await worker.answer('Hello')).toBe('finished');
  const kinds = codes.map((code) => /var<(\w+)> params/.exec(code)?.[1]);
  expect(new Set(kinds)).toEqual(new Set([kind]));
});
