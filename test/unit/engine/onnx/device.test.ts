import { afterEach, expect, test, vi } from 'vitest';
import type { Speech } from '../../../../src/core/catalog/speech.ts';
import { onnxDevice, type Gpu } from '../../../../src/engine/onnx/device.ts';
import { packEntry, variantOf } from '../../support/entries.ts';

/** A pack of this quantisation and family. */
function model(quantization: string, family: Speech['family'] = 'piper') {
  const voices: Speech['voices'] = [{ id: 'v', name: 'V', languages: ['en-US'] }];
  const speech = { family, sampleRate: 16_000, voices };
  const entry = packEntry('m', 'r1', { quantization, speech });
  const needs = quantization === 'fp16' ? { shaderF16: true } : {};
  return { entry, variant: { ...variantOf(entry), needs } };
}

const fp32 = model('fp32');

/** A browser's GPU. Older browsers do not say whether it is a fallback adapter. */
function gpu(isFallbackAdapter?: boolean, ...features: string[]): Gpu {
  const info = { ...(isFallbackAdapter !== undefined && { isFallbackAdapter }) };
  return { requestAdapter: () => Promise.resolve({ info, features: new Set(features) }) };
}

function stubPromiseIntegration(): void {
  vi.stubGlobal('WebAssembly', { ...WebAssembly, Suspending: Object });
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('32-bit weights run on a GPU, 8-bit weights and SpeechT5 on the CPU', async () => {
  stubPromiseIntegration();
  expect(await onnxDevice(fp32, undefined, gpu(false))).toBe('webgpu');
  expect(await onnxDevice(model('q8'), undefined, gpu(false))).toBe('wasm');
  expect(await onnxDevice(model('q8'), 'webgpu', gpu(false))).toBe('wasm');
  expect(await onnxDevice(model('fp32', 'supertonic'), undefined, gpu(false))).toBe('webgpu');
  expect(await onnxDevice(model('fp32', 'speecht5'), 'webgpu', gpu(false))).toBe('wasm');
});

test('16-bit weights run on a GPU that computes with them', async () => {
  stubPromiseIntegration();
  const half = model('fp16');
  expect(await onnxDevice(half, undefined, gpu(false, 'shader-f16'))).toBe('webgpu');
  expect(await onnxDevice(half, undefined, gpu(true, 'shader-f16'))).toBe('wasm');
  expect(await onnxDevice(half, 'webgpu', gpu(true, 'shader-f16'))).toBe('webgpu');
  expect(await onnxDevice(half, 'webgpu', gpu(false))).toBe('wasm');
  expect(await onnxDevice(half, 'wasm', gpu(false, 'shader-f16'))).toBe('wasm');
});

test('a fallback adapter is used only if the page asks for the GPU, and none if it asks for the CPU', async () => {
  stubPromiseIntegration();
  for (const adapter of [gpu(true), gpu()]) {
    expect(await onnxDevice(fp32, undefined, adapter)).toBe('wasm');
    expect(await onnxDevice(fp32, 'webgpu', adapter)).toBe('webgpu');
  }
  expect(await onnxDevice(fp32, 'wasm', gpu(false))).toBe('wasm');
});

test('a GPU process that hangs is not waited for', async () => {
  stubPromiseIntegration();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  const hung: Gpu = { requestAdapter: () => new Promise(() => undefined) };
  expect(await onnxDevice(fp32, undefined, hung)).toBe('wasm');
});

test('the CPU is used without an adapter, WebGPU or promise integration', async () => {
  stubPromiseIntegration();
  const none: Gpu = { requestAdapter: () => Promise.resolve(null) };
  const failing: Gpu = { requestAdapter: () => Promise.reject(new Error('lost')) };
  for (const lacking of [none, failing, undefined]) {
    expect(await onnxDevice(fp32, 'webgpu', lacking)).toBe('wasm');
  }
  const { Suspending: _, ...older } = Object.assign({ Suspending: 0 }, WebAssembly);
  vi.stubGlobal('WebAssembly', older);
  expect(await onnxDevice(fp32, 'webgpu', gpu(false))).toBe('wasm');
});
