import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  readDevice,
  type Adapter,
  type Surroundings,
} from '../../../../src/engine/device/read-device.ts';
import { threadScope } from '../../support/models/thread-scope.ts';

afterEach(() => vi.unstubAllGlobals());

const GIB = 2 ** 30;
const limits = { maxBufferSize: 3 * GIB, maxStorageBufferBindingSize: 2 * GIB };
const features = new Set(['shader-f16']);
const REAL: Adapter = { limits, features, info: { vendor: 'nvidia', isFallbackAdapter: false } };
const EMULATED: Adapter = { limits, features, info: { architecture: 'swiftshader' } };

/** The device of a browser with this adapter. */
function read(adapter: Adapter | null, facts: Partial<Surroundings> = {}) {
  return readDevice({
    gpu: { requestAdapter: () => Promise.resolve(adapter) },
    deviceMemory: undefined,
    isPhone: false,
    memoryBudget: undefined,
    contextLength: undefined,
    kvCacheType: undefined,
    standby: false,
    engines: undefined,
    scope: threadScope(false),
    threads: undefined,
    speechThreads: undefined,
    llamacppDevice: undefined,
    speechDevice: undefined,
    ...facts,
  });
}

beforeEach(() => vi.stubGlobal('WebAssembly', { Suspending: Object }));

test('a GPU is described by what decides which models it runs', async () => {
  const { device, report } = await read(REAL);
  expect(device).toEqual({
    gpu: 'hardware',
    hasF16: true,
    hasSubgroups: false,
    bufferBytes: 2 * GIB,
    memoryBudget: 3 * GIB,
    onnxOnGpu: true,
  });
  expect(report).toEqual({
    gpu: 'hardware',
    gpuName: 'nvidia',
    shaderF16: true,
    engine: 'webllm',
    llamacpp: 'webgpu',
    host: 'page',
    isolated: false,
    memoryBudget: 3 * GIB,
    threads: {
      llamacpp: { count: 1, limit: 8, reason: 'not-isolated' },
      onnx: { count: 1, limit: 4, reason: 'not-isolated' },
    },
    reason: 'WebGPU has a graphics processor here (nvidia). WebLLM writes text on it.',
  });
});

test('a device without a GPU has memory and llama.cpp', async () => {
  const { device, report } = await read(null, { scope: threadScope(true), speechThreads: 3 });
  expect(device).toEqual({ gpu: 'none', onnxOnGpu: false, memoryBudget: 2 * GIB });
  expect(report).toEqual({
    gpu: 'none',
    shaderF16: false,
    engine: 'llamacpp',
    llamacpp: 'wasm',
    host: 'page',
    isolated: true,
    memoryBudget: 2 * GIB,
    threads: {
      llamacpp: { count: 4, limit: 8, reason: 'cores' },
      onnx: { count: 3, limit: 4, reason: 'site' },
    },
    reason:
      'This browser has no WebGPU, or no graphics processor that it may use. llama.cpp writes text on the CPU.',
  });
});

test('ONNX graphs can run on a real GPU, or on the one that the page names', async () => {
  const onnx = async (adapter: Adapter | null, speechDevice?: 'webgpu' | 'wasm') =>
    (await read(adapter, { speechDevice })).device.onnxOnGpu;
  expect(await onnx(REAL)).toBe(true);
  expect(await onnx(EMULATED)).toBe(false);
  expect(await onnx(EMULATED, 'webgpu')).toBe(true);
  expect(await onnx(REAL, 'wasm')).toBe(false);
  expect(await onnx(null, 'webgpu')).toBe(false);
  // Without WebAssembly's promise integration.
  vi.stubGlobal('WebAssembly', {});
  expect(await onnx(REAL, 'webgpu')).toBe(false);
});

test.each<[Adapter | null, Surroundings['engines'], string | null, string]>([
  [EMULATED, undefined, 'llamacpp', 'The CPU computes WebGPU here (swiftshader). llama.cpp'],
  [EMULATED, ['webllm'], 'webllm', 'The site allows no engine but WebLLM.'],
  [REAL, ['llamacpp'], 'llamacpp', '(nvidia). llama.cpp writes text on it.'],
  [{ ...REAL, features: new Set() }, ['llamacpp'], 'llamacpp', 'shader-f16'],
  [{ limits, features: new Set() }, undefined, 'webllm', 'models need a 32-bit variant'],
  [null, ['webllm'], null, 'The site allows no engine but WebLLM, which needs one.'],
])(
  'the report says which engine writes text, and why (%#)',
  async (adapter, engines, engine, why) => {
    const { device, report } = await read(adapter, { engines });
    expect(report.engine).toBe(engine);
    expect(report.reason).toContain(why);
    expect(device.engines).toEqual(engines);
  },
);

test('the memory budget is what the page says, and half of it for each of two tabs', async () => {
  const budget = async (facts: Partial<Surroundings>) =>
    (await read(REAL, facts)).device.memoryBudget;
  expect(await budget({ memoryBudget: 100 })).toBe(100);
  expect(await budget({ memoryBudget: 100, standby: true })).toBe(50);
  expect(await budget({ deviceMemory: 8 })).toBe(4 * GIB);
  expect(await budget({ deviceMemory: 8, isPhone: true })).toBe(GIB);
});
