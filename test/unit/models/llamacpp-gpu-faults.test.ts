import { describe, expect, test, vi } from 'vitest';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import { LlamaOnGpu } from '../../../models/llamacpp/llama-on-gpu.ts';
import type { LlamaGpu } from '../../../models/llamacpp/module.ts';
import { QUANTISED_FORMATS, type QuantisedFormat } from '../../support/gguf/quantised-blocks.ts';
import { checkedWeights, MOST_ERROR } from '../../support/software-gpu/checked-weights.ts';
import { openSoftwareGpu, softwareGpu } from '../../support/software-gpu/software-gpu.ts';
import { tinyGguf } from '../../support/gguf/tiny-gguf.ts';
import { testedBlocks, tinyQuantised } from '../../support/gguf/tiny-quantised.ts';

// Shaders are compiled for the CPU here, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

/** Bytes of a buffer that no weights need. */
const PARAMETERS = 1024;

/** Weights that the backend cannot multiply. */
const BF16: QuantisedFormat = {
  name: 'BF16',
  type: 30,
  bytes: 2,
  weights: 1,
  halves: [0],
  firstWeight: 0,
  weight: () => 1,
};

const file = tinyGguf();
const { missing } = await softwareGpu();
const [Q4_0] = QUANTISED_FORMATS as [QuantisedFormat];

/** Opens a device that a test may break. */
async function newGpu(): Promise<LlamaGpu> {
  const gpu = await openSoftwareGpu();
  if ('missing' in gpu) throw new Error(gpu.missing);
  return gpu;
}

const open = (gpu?: LlamaGpu) => LlamaOnGpu.open({ '/model.gguf': file }, gpu);

/** An object in which some properties are others. */
function changed<T extends object>(object: T, changes: Partial<T>): T {
  const found = (name: string | symbol): unknown =>
    Reflect.get(name in changes ? changes : object, name);
  return new Proxy(object, {
    get: (_, name): unknown => {
      const value = found(name);
      if (typeof value !== 'function' || name in changes) return value;
      // WebGPU's functions need the object itself.
      return (...given: unknown[]): unknown => Reflect.apply(value, object, given);
    },
  });
}

describe.skipIf(missing)('the check', () => {
  // test/gpu checks the other formats.
  test('finds that products of a vector and a matrix are right', async () => {
    const llama = await open(await newGpu());
    for (const tokens of [1, 32]) {
      expect(await llama.check(checkedWeights(Q4_0), tokens)).toBeLessThan(MOST_ERROR);
    }
  });

  test('finds a GPU that computes something else', async () => {
    const { device, info } = await newGpu();
    const queue = changed(device.queue, {
      writeBuffer: (buffer, offset, data, from = 0, size = 0) => {
        const bytes = (data as Uint8Array<ArrayBuffer>).slice(from, from + size);
        // Each block of weights is the one before.
        if (size > PARAMETERS) bytes.copyWithin(Q4_0.bytes, 0);
        device.queue.writeBuffer(buffer, offset, bytes);
      },
    });
    const llama = await open({ device: changed(device, { queue }), info });
    expect(await llama.check(checkedWeights(Q4_0), 1)).toBeGreaterThan(0.1);
  });

  test('refuses weights that are none', async () => {
    const llama = await open(await newGpu());
    const wrong = { type: 999, columns: 7, rows: 1, bytes: new Uint8Array(64) };
    await expect(llama.check(wrong, 1)).rejects.toThrow('There are no such weights.');
  });
});

describe.skipIf(missing)('a failure is an error of the call:', () => {
  test('the GPU has no memory for the weights', async () => {
    const { device, info } = await newGpu();
    const error = new GPUOutOfMemoryError('no room');
    const without = changed(device, { popErrorScope: () => Promise.resolve(error) });
    await expect(open({ device: without, info })).rejects.toBe(error);
  });

  test('the device is lost before a batch', async () => {
    const gpu = await newGpu();
    const llama = await open(gpu);
    const context = llama.newContext(64, 32);
    await llama.compute(context, [1, 2], 0);
    gpu.device.destroy();
    await expect(llama.compute(context, [3], 2)).rejects.toThrow();
  });

  test('the device is lost during a batch', async () => {
    const gpu = await newGpu();
    const llama = await open(gpu);
    const context = llama.newContext(64, 32);
    const computed = llama.compute(context, [1, 2], 0);
    gpu.device.destroy();
    await expect(computed).rejects.toThrow();
  });
});

describe.skipIf(missing)('a model', () => {
  test('is whole if the GPU computes all of it', async () => {
    const llama = await open(await newGpu());
    expect(llama.module._lc_is_whole(llama.newContext(64, 32))).toBe(1);
  });

  test('is not, if the GPU lacks an operation: then no batch is computed', async () => {
    const blocks = testedBlocks(BF16);
    const files = { '/model.gguf': tinyQuantised(BF16, blocks, 'blocks') };
    const llama = await LlamaOnGpu.open(files, await newGpu());
    const context = llama.newContext(64, 32);
    expect(llama.module._lc_is_whole(context)).toBe(0);
    expect(() => llama.decode(context, [1, 2], 0)).toThrow('in the middle of a computation');
  });
});

test('without a GPU, the module computes what the one for CPUs does', async () => {
  const [cpu, llama] = [await LlamaInNode.load({ '/model.gguf': file }), await open()];
  const [expected, found] = [cpu, llama].map((each) => {
    const context = each.newContext(64, 32);
    each.decode(context, [1, 2, 3], 0);
    return each.logits(context);
  });
  expect(found).toEqual(expected);
});
