import { afterEach, expect, test, vi } from 'vitest';
import type { Speech } from '../../../../src/core/stores/speech.ts';
import { speechDevice, type Gpu } from '../../../../src/engine/onnx/device.ts';
import { packEntry, variantOf } from '../../support/entries.ts';

/** A pack of this quantisation and family. */
function model(quantization: string, family: Speech['family'] = 'piper') {
  const voices: Speech['voices'] = [{ id: 'v', name: 'V', languages: ['en-US'] }];
  const speech = { family, sampleRate: 16_000, voices };
  const entry = packEntry('m', 'r1', { quantization, speech });
  return { entry, variant: variantOf(entry) };
}

const fp32 = model('fp32');

/** A browser's GPU; undefined: what older browsers tell of it. */
function gpu(isFallbackAdapter?: boolean): Gpu {
  const info = { ...(isFallbackAdapter !== undefined && { isFallbackAdapter }) };
  return { requestAdapter: () => Promise.resolve({ info }) };
}

function stubPromiseIntegration(): void {
  vi.stubGlobal('WebAssembly', { ...WebAssembly, Suspending: Object });
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('32-bit weights run on a real GPU, 8-bit ones and everything else on the CPU', async () => {
  stubPromiseIntegration();
  expect(await speechDevice(fp32, undefined, gpu(false))).toBe('webgpu');
  expect(await speechDevice(model('q8'), undefined, gpu(false))).toBe('wasm');
  expect(await speechDevice(model('q8'), 'webgpu', gpu(false))).toBe('wasm');
  expect(await speechDevice(model('fp32', 'supertonic'), undefined, gpu(false))).toBe('webgpu');
  expect(await speechDevice(model('fp32', 'speecht5'), 'webgpu', gpu(false))).toBe('wasm');
});

test('a GPU that is the CPU is taken only where the page wants it, and none where it wants none', async () => {
  stubPromiseIntegration();
  for (const adapter of [gpu(true), gpu()]) {
    expect(await speechDevice(fp32, undefined, adapter)).toBe('wasm');
    expect(await speechDevice(fp32, 'webgpu', adapter)).toBe('webgpu');
  }
  expect(await speechDevice(fp32, 'wasm', gpu(false))).toBe('wasm');
});

test('a GPU that gives no answer is not waited for', async () => {
  stubPromiseIntegration();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  const hung: Gpu = { requestAdapter: () => new Promise(() => undefined) };
  expect(await speechDevice(fp32, undefined, hung)).toBe('wasm');
});

test('without an adapter, without WebGPU or without promise integration it is the CPU', async () => {
  stubPromiseIntegration();
  const none: Gpu = { requestAdapter: () => Promise.resolve(null) };
  const failing: Gpu = { requestAdapter: () => Promise.reject(new Error('lost')) };
  for (const lacking of [none, failing, undefined]) {
    expect(await speechDevice(fp32, 'webgpu', lacking)).toBe('wasm');
  }
  const { Suspending: _, ...older } = Object.assign({ Suspending: 0 }, WebAssembly);
  vi.stubGlobal('WebAssembly', older);
  expect(await speechDevice(fp32, 'webgpu', gpu(false))).toBe('wasm');
});
