import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Llama } from '../../../../../src/engine/llamacpp/worker/llama.ts';
import { tensorOfType, tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';
import { FakeGpu } from '../../../support/fakes/fake-gpu.ts';
import { GpuWorker, trust } from '../../../support/models/gpu-worker.ts';

// Compiling llama.cpp takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Some megabytes. */
const FILE = tinyGguf({ shape: { width: 256, innerWidth: 512, layers: 4 } });
/** The header is in them, and few weights are. Bytes. */
const BEGINNING = 2 ** 20;

/** ggml's number of the type. */
const BF16 = 30;

let fake: FakeGpu;
beforeEach(() => (fake = new FakeGpu()));
afterEach(() => vi.restoreAllMocks());

/** A model whose first bytes have arrived, and whose kernels are compiled. */
async function arriving() {
  await trust(fake);
  const rehearsed = vi.spyOn(Llama.prototype, 'freeContext');
  const worker = new GpuWorker(fake);
  const fill = worker.arrive(FILE);
  fill(BEGINNING);
  await vi.waitFor(() => expect(rehearsed).toHaveReturned(), 20_000);
  return { worker, fill };
}

test.each([
  ['with subgroups', ['subgroups']],
  ['without subgroups', []],
])(
  'on a GPU %s, kernels are compiled while weights arrive: answers need no others',
  async (_, more) => {
    fake.features = new Set(['shader-f16', ...more]);
    const { worker, fill } = await arriving();
    const { pipelines } = fake;
    expect(pipelines).toBeGreaterThan(0);
    expect(worker.messages).toEqual([{ type: 'filled', pieces: [expect.any(Uint8Array)] }]);
    fill();
    expect(await worker.outcome()).toBe('loaded');
    for (const words of [1, 8, 35]) {
      expect(await worker.answer('Hello '.repeat(words))).toBe('finished');
    }
    expect(fake.pipelines).toBe(pipelines);
  },
);

test('kernels are left to the answers if all weights are there at once', async () => {
  await trust(fake);
  const rehearsed = vi.spyOn(Llama.prototype, 'freeContext');
  const worker = new GpuWorker(fake);
  worker.arrive(FILE)();
  expect(await worker.outcome()).toBe('loaded');
  expect(rehearsed).not.toHaveBeenCalled();
  expect(await worker.answer('Hello')).toBe('finished');
});

test('all weights go to the GPU when they arrive', async () => {
  const { worker, fill } = await arriving();
  const before = fake.writtenBytes;
  for (let given = 0; given < FILE.length; given += BEGINNING) fill(BEGINNING);
  expect(await worker.outcome()).toBe('loaded');
  // The beginning has been written before.
  expect(fake.writtenBytes - before).toBeGreaterThan(FILE.length - 2 * BEGINNING);
});

describe('the CPU gets the model before its weights have arrived if the GPU', () => {
  const wrong = (message: string) => ({
    kind: 'gpu',
    fault: 'final',
    message: expect.stringContaining(message),
  });

  test('does not compute in 16 bits', async () => {
    fake.features?.clear();
    const worker = new GpuWorker(fake);
    worker.arrive(FILE);
    expect(await worker.outcome()).toEqual(wrong('lacks the feature shader-f16'));
  });

  test('computes something else', async () => {
    const worker = new GpuWorker(fake);
    const fill = worker.arrive(FILE);
    fill(FILE.length - 1);
    expect(await worker.outcome()).toEqual(wrong('wrong products of F32 weights'));
  });

  test('lacks kernels for the weights', async () => {
    const rest = { ...tensorOfType(0, 'rest'), shape: [1024, 512], bytes: new Uint8Array(2 ** 21) };
    const worker = new GpuWorker(fake);
    worker.arrive(tinyGguf({ tensors: [tensorOfType(BF16), rest] }))(BEGINNING);
    expect(await worker.outcome()).toEqual(wrong('weights of the type BF16'));
    expect(fake.buffers).toBe(0);
  });

  test('has no memory', async () => {
    fake.hasRoom = false;
    const worker = new GpuWorker(fake);
    worker.arrive(FILE)(BEGINNING);
    expect(await worker.outcome()).toMatchObject({ kind: 'gpu', message: 'no room' });
  });
});

test('a GPU that is lost while weights arrive fails the load', async () => {
  const { worker, fill } = await arriving();
  fake.lose();
  fill();
  expect(await worker.outcome()).toMatchObject({ kind: 'gpu', fault: 'passing' });
});

test('a file that is no GGUF file fails when its beginning is there', async () => {
  const worker = new GpuWorker(fake);
  worker.arrive(new Uint8Array(2 * BEGINNING))(BEGINNING);
  const message = 'tiny.gguf is not a GGUF file.';
  expect(await worker.outcome()).toEqual({ kind: 'file', message });
});
