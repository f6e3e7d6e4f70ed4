import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { IMAGE_MARK, type PromptImage } from '../../../../../src/core/operations/jobs/jobs.ts';
import { Llama } from '../../../../../src/engine/llamacpp/worker/llama.ts';
import { tensorOfType, tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';
import { tinySight } from '../../../../support/sight/tiny-sight.ts';
import { FakeGpu } from '../../../support/fakes/fake-gpu.ts';
import { GpuWorker, trust } from '../../../support/models/gpu-worker.ts';

// Compiling llama.cpp takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** ggml's number of the type. */
const BF16 = 30;

const LOST = { kind: 'gpu', fault: 'passing' };
const wrong = (message: string) => ({
  kind: 'gpu',
  fault: 'final',
  message: expect.stringContaining(message),
});

let fake: FakeGpu;
beforeEach(() => (fake = new FakeGpu()));
afterEach(() => vi.restoreAllMocks());

/** Does something before each call of a function of llama.cpp. */
function beforeCalls(name: 'copy' | 'encode', before: () => void) {
  const real: (...given: number[]) => unknown = Llama.prototype[name];
  return vi.spyOn(Llama.prototype, name).mockImplementation(function (this: Llama, ...given) {
    before();
    return Reflect.apply(real, this, given);
  });
}

/** A worker with a loaded model. */
async function loaded(...files: Parameters<GpuWorker['load']>): Promise<GpuWorker> {
  await trust(fake);
  const worker = new GpuWorker(fake);
  expect(await worker.load(...files)).toBe('loaded');
  return worker;
}

describe('the CPU gets the model, with the reason, if', () => {
  test('the browser has no WebGPU in workers', async () => {
    fake.features = undefined;
    const worker = new GpuWorker({});
    expect(await worker.load()).toEqual(wrong('no WebGPU in workers'));
  });

  test('the browser gives no adapter, also a little later', async () => {
    fake.features = undefined;
    expect(await new GpuWorker(fake).load()).toEqual({
      ...LOST,
      message: 'The browser has no GPU at the moment.',
    });
  });

  test.each([
    ['the adapter lacks shader-f16', () => fake.features?.clear(), 'lacks the feature shader-f16'],
    [
      'the adapter gives no device',
      () => {
        fake.onRequestDevice = () => {
          throw new DOMException('The adapter was used.', 'OperationError');
        };
      },
      'The adapter was used.',
    ],
    [
      'a tensor is larger than it binds',
      () => (fake.limits = { maxStorageBufferBindingSize: 1000 }),
      'binds 1000 bytes at most, and the model needs',
    ],
    ['it computes something else', () => undefined, 'wrong products of F32 weights'],
  ])('%s', async (_, breakGpu, message) => {
    breakGpu();
    expect(await new GpuWorker(fake).load()).toEqual(wrong(message));
  });

  test('it lacks kernels for the weights, which are not uploaded', async () => {
    const file = tinyGguf({ tensors: [tensorOfType(BF16)] });
    expect(await new GpuWorker(fake).load(file)).toEqual(wrong('weights of the type BF16'));
    expect(fake.buffers).toBe(0);
  });

  test.each([
    ['it runs out of memory', () => (fake.hasRoom = false), wrong('no room')],
    ['it is used wrongly', () => fake.report('invalid group'), wrong('invalid group')],
    ['it is lost', () => fake.lose(), LOST],
  ])('%s in the middle of the load', async (_, breakGpu, failure) => {
    await trust(fake);
    let made = 0;
    fake.onNewBuffer = () => {
      if (++made === 3) breakGpu();
    };
    expect(await new GpuWorker(fake).load()).toMatchObject(failure);
    expect(made).toBeGreaterThan(3);
  });

  test('it is lost at any time of the load: weights arrive, KV caches are made', async () => {
    const loadLosingAt = async (lostAt: number) => {
      fake = new FakeGpu();
      await trust(fake);
      let made = 0;
      fake.onNewBuffer = () => {
        if (++made === lostAt) fake.lose();
      };
      return { failure: await new GpuWorker(fake).load(), made };
    };
    const { failure: none, made: all } = await loadLosingAt(Infinity);
    expect(none).toBe('loaded');
    for (let lostAt = 1; lostAt <= all; lostAt++) {
      expect((await loadLosingAt(lostAt)).failure).toMatchObject(LOST);
    }
    // When it is lost among the weights, no KV cache is made.
    expect((await loadLosingAt(1)).made).toBeLessThan(all);
  });

  test('it computes something else, and nobody can tell what was checked before', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('Storage is blocked.', 'SecurityError');
    });
    expect(await new GpuWorker(fake).load()).toEqual(wrong('wrong products'));
  });
});

test('a browser that has no adapter at the moment is asked until it has one', async () => {
  await trust(fake);
  const { features } = fake;
  fake.features = undefined;
  let asked = 0;
  fake.onRequestAdapter = () => {
    if (++asked === 4) fake.features = features;
  };
  expect(await new GpuWorker(fake).load()).toBe('loaded');
  expect(asked).toBe(4);
});

describe('a file is blamed, not the GPU, if', () => {
  test('it is no GGUF file', async () => {
    const message = 'tiny.gguf is not a GGUF file.';
    expect(await new GpuWorker(fake).load(new Uint8Array(100))).toEqual({ kind: 'file', message });
  });

  test('it ends too early', async () => {
    expect(await new GpuWorker(fake).load(tinyGguf().subarray(0, 100_000))).toEqual({
      kind: 'file',
      message: expect.stringContaining('incomplete'),
    });
  });

  test('llama.cpp refuses it', async () => {
    const file = tinyGguf({ metadata: { 'tokenizer.ggml.model': { string: 'unknown' } } });
    expect(await new GpuWorker(fake).load(file)).toEqual({
      kind: 'file',
      message: expect.stringContaining('unknown tokenizer'),
    });
  });

  test('the projector is none', async () => {
    await trust(fake);
    const { model } = tinySight('idefics3');
    expect(await new GpuWorker(fake).load(model, new Uint8Array(100))).toMatchObject({
      kind: 'file',
    });
  });
});

test('a projector is on the CPU, with the reason, if the GPU lacks an operation for large images', async () => {
  const { model, projector } = tinySight('qwen2.5vl_merger');
  const told = async () => (await loaded(model, projector)).messages.at(-1);
  expect(await told()).not.toHaveProperty('model.imagesOnCpu');
  // The patches of a large image take 13 MB.
  fake.limits = { maxStorageBufferBindingSize: 4_000_000 };
  const reason = 'On GPUs, llama.cpp lacks an operation of the projector: IM2COL.';
  expect(await told()).toMatchObject({ type: 'loaded', model: { imagesOnCpu: reason } });
});

test('without memory for another KV cache, conversations share those that exist, on the GPU', async () => {
  const worker = await loaded();
  expect(await worker.answer('Hello')).toBe('finished');
  const before = fake.buffers;
  fake.hasRoom = false;
  expect(await worker.answer('Bye')).toBe('finished');
  expect(worker.messages.at(-1)).toMatchObject({ warm: { caches: 1 } });
  expect(fake.buffers).toBe(before);
  fake.hasRoom = true;
  expect(await worker.answer('And again')).toBe('finished');
});

describe('an answer continues elsewhere if the GPU', () => {
  test('is lost while a prompt is read', async () => {
    const worker = await loaded();
    fake.onSubmit = () => fake.lose();
    expect(await worker.answer('Hello')).toMatchObject(LOST);
  });

  test('is lost while nothing is asked of it', async () => {
    const worker = await loaded();
    expect(await worker.answer('Hello')).toBe('finished');
    fake.lose();
    expect(await worker.answer('Bye')).toMatchObject(LOST);
  });

  test('is lost between two tokens', async () => {
    const worker = await loaded();
    worker.onMessage = ({ type }) => {
      if (type === 'text') fake.lose();
    };
    expect(await worker.answer('Hello')).toMatchObject(LOST);
    expect(worker.messages.filter(({ type }) => type === 'text')).toHaveLength(1);
  });

  test('is lost while a KV cache is copied', async () => {
    const worker = await loaded();
    expect(await worker.answer('The first path of the forest')).toBe('finished');
    const copy = beforeCalls('copy', () => fake.lose());
    expect(await worker.answer('The first path of the hill')).toMatchObject(LOST);
    expect(copy).toHaveBeenCalledOnce();
  });

  test('is lost while an image is encoded', async () => {
    const { model, projector } = tinySight('idefics3');
    const worker = await loaded(model, projector);
    const image: PromptImage = { file: new Uint8Array(4), detail: 'auto', field: 'image' };
    const prompt = `see ${IMAGE_MARK} now`;
    expect(await worker.answer(prompt, [image])).toBe('finished');
    beforeCalls('encode', () => fake.lose());
    const other = { ...image, file: new Uint8Array(5) };
    expect(await worker.answer(prompt, [other])).toMatchObject(LOST);
  });

  test('is used wrongly', async () => {
    const worker = await loaded();
    fake.onSubmit = () => fake.report('invalid bind group');
    expect(await worker.answer('Hello')).toEqual(wrong('invalid bind group'));
  });
});
