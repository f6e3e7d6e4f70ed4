import { expect, test, vi } from 'vitest';
import { gpuName, isEmulated } from '../../../../src/core/fit/adapter-info.ts';
import { findAdapter } from '../../../../src/engine/device/gpu-adapter.ts';

test.each([
  ['SwiftShader in Chromium', { vendor: 'google', architecture: 'swiftshader' }],
  ['Mesa on the CPU', { vendor: 'mesa', description: 'llvmpipe (LLVM 15.0.6, 256 bits)' }],
  ['the basic driver of Windows', { description: 'Microsoft Basic Render Driver' }],
  ['a fallback adapter', { vendor: 'unknown', isFallbackAdapter: true }],
])('%s is emulated by the CPU, whatever else the browser says', (_, info) => {
  expect(isEmulated({ isFallbackAdapter: false, ...info })).toBe(true);
});

test('a GPU is real if the browser says so, and unknown if it says nothing', () => {
  const info = { vendor: 'apple', architecture: 'metal-3' };
  expect(isEmulated({ ...info, isFallbackAdapter: false })).toBe(false);
  expect(isEmulated(info)).toBeUndefined();
});

test('a GPU has the name that its browser describes it by', () => {
  const info = { vendor: 'nvidia', architecture: 'ampere', device: '' };
  expect(gpuName(info)).toBe('nvidia ampere');
  expect(gpuName({ ...info, description: 'NVIDIA A2' })).toBe('NVIDIA A2');
  expect(gpuName({ vendor: '', description: '' })).toBe('');
});

test('there is no adapter without WebGPU or a GPU, nor if the GPU process fails or hangs', async () => {
  const lacking = [
    undefined,
    { requestAdapter: () => Promise.resolve(null) },
    { requestAdapter: () => Promise.reject(new Error('lost')) },
  ];
  for (const gpu of lacking) expect(await findAdapter(gpu)).toBeUndefined();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
  expect(await findAdapter({ requestAdapter: () => new Promise(() => {}) })).toBeUndefined();
});
