import { expect, test, vi } from 'vitest';
import { headersOfGguf } from '../../../../support/gguf/tiny-gguf.ts';
import { FakeGpu } from '../../../support/fakes/fake-gpu.ts';
import { GpuWorker, part, trust } from '../../../support/models/gpu-worker.ts';

// Gigabytes pass through the module, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

/** Layers like those of Llama 3.1 8B, with 231 MB each. Together they have more than 4 GiB. */
const SHAPE = {
  layers: 19,
  width: 4096,
  innerWidth: 14_336,
  heads: 32,
  cacheHeads: 8,
  isQuantised: true,
};

test('a model of more than 4 GiB is loaded and computed, though no module can address so much', async () => {
  const files = headersOfGguf(2, SHAPE);
  const size = files.reduce((sum, each) => sum + each.size, 0);
  expect(size).toBeGreaterThan(2 ** 32);
  const fake = new FakeGpu();
  await trust(fake);
  const worker = new GpuWorker(fake);
  const parts = files.map((file, at) =>
    part(`large-0000${at + 1}-of-00002.gguf`, file.header, file.size),
  );
  expect(await worker.loadParts(parts)).toBe('loaded');
  expect(fake.writtenBytes).toBeGreaterThan(size - 2 ** 21);
  expect(await worker.answer('Hello')).toBe('finished');
});

test('so is one in a single file, in sections: ggml counts the bytes of a file in 32 bits', async () => {
  const [file] = headersOfGguf(1, SHAPE);
  if (!file) throw new Error('There is no file.');
  const fake = new FakeGpu();
  await trust(fake);
  const worker = new GpuWorker(fake);
  expect(await worker.loadParts([part('large.gguf', file.header, file.size)])).toBe('loaded');
  expect(fake.writtenBytes).toBeGreaterThan(file.size - 2 ** 21);
});
