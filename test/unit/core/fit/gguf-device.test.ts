import { expect, test } from 'vitest';
import type { GgufOnGpu } from '../../../../src/core/catalog/variant.ts';
import type { Device } from '../../../../src/core/fit/device-fit.ts';
import { cpuReasonOf, ggufDevice } from '../../../../src/core/fit/gguf-device.ts';
import { ggufVariant } from '../../support/entries.ts';

const MODEL = { id: 'm' };
const GPU: Device = { gpu: 'hardware', hasF16: true, bufferBytes: 1000 };

function codeOf(device: Device, onGpu: GgufOnGpu = { tensorBytes: 1000 }) {
  return cpuReasonOf(MODEL, ggufVariant('m', { onGpu }), device)?.code;
}

test('a real GPU with shader-f16 computes GGUF models, also before their headers are known', () => {
  expect(codeOf(GPU)).toBeUndefined();
  expect(ggufDevice(MODEL, ggufVariant('m'), GPU)).toBe('webgpu');
});

test('of a GPU that the CPU emulates, the site decides', () => {
  const emulated: Device = { ...GPU, gpu: 'software' };
  expect(codeOf(emulated)).toBe('software');
  expect(codeOf({ ...emulated, llamacppDevice: 'webgpu' })).toBeUndefined();
  expect(codeOf({ ...GPU, llamacppDevice: 'wasm' })).toBe('site');
});

test('a GPU that lacks something leaves the model to the CPU', () => {
  expect(codeOf({ gpu: 'none' })).toBe('webgpu');
  expect(codeOf({ ...GPU, hasF16: false })).toBe('shader-f16');
  expect(codeOf(GPU, { tensorBytes: 1001 })).toBe('buffer-size');
  expect(codeOf(GPU, { tensorBytes: 1, lacks: 'weights of the type BF16' })).toBe('unsupported');
});

test('a GPU that has failed with the model for good or twice is left, with its message', () => {
  const variant = ggufVariant('m');
  const failed = (gpuFailures: number) => ({
    ...GPU,
    loads: [
      {
        model: 'm',
        variant: variant.id,
        revision: 'r1',
        surroundings: '',
        crashes: 0,
        gpuFailures,
        gpuFailure: 'It was lost.',
      },
    ],
  });
  expect(cpuReasonOf(MODEL, variant, failed(1))).toBeUndefined();
  expect(cpuReasonOf(MODEL, variant, failed(2))).toEqual({
    code: 'webgpu-failed',
    message: 'It was lost.',
  });
});
