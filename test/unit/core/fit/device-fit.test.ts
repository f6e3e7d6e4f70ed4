import { expect, test } from 'vitest';
import { obstacles, refusals, type Device } from '../../../../src/core/fit/device-fit.ts';
import type { LoadRecord } from '../../../../src/core/fit/load-record.ts';
import type { Variant } from '../../../../src/core/catalog/variant.ts';
import {
  GGUF_MEMORY,
  ggufVariant,
  hubVariant,
  installation,
  onnxVariant,
  packEntry,
  variantOf,
} from '../../support/entries.ts';

const HALF = hubVariant('m', { needs: { shaderF16: true, bufferBytes: 262_144_000 } });
const GGUF = ggufVariant('m', { memory: GGUF_MEMORY });

/** Obstacles of a variant of the model `m`, which can have 4,096 tokens. */
function found(variant: Variant, device: Device, missingBytes?: number): string[] {
  return obstacles({ id: 'm', contextLength: 4096 }, variant, device, missingBytes);
}

const record = (variant: Variant, facts: Partial<LoadRecord>): LoadRecord => ({
  model: 'm',
  variant: variant.id,
  revision: 'r1',
  surroundings: 'here',
  crashes: 0,
  gpuFailures: 0,
  ...facts,
});

test('a model fits if the GPU and the storage have what it needs', () => {
  const device: Device = {
    gpu: 'hardware',
    hasF16: true,
    bufferBytes: 262_144_000,
    freeBytes: 5e9,
  };
  expect(found(HALF, device, 5e9)).toEqual([]);
});

test('everything that the GPU and the storage lack is named', () => {
  const device = { hasF16: false, bufferBytes: 134_217_728, freeBytes: 1e9 };
  expect(found(HALF, device, 5e9)).toEqual(['shader-f16', 'buffer-size', 'storage']);
});

test('a pack that computes in f16 needs shader-f16, too', () => {
  expect(found(variantOf(packEntry('p')), { hasF16: false })).toEqual(['shader-f16']);
  const full = packEntry('p', 'r1', { quantization: 'q4f32_1' });
  expect(found(variantOf(full), { hasF16: false })).toEqual([]);
});

test('without a GPU only WebLLM cannot run; a GPU that the CPU computes is enough for it', () => {
  expect(found(HALF, { gpu: 'none' })).toEqual(['webgpu']);
  expect(found(HALF, { gpu: 'software', hasF16: true })).toEqual([]);
  expect(found(GGUF, { gpu: 'none' })).toEqual([]);
});

test('an engine that the site does not allow is an obstacle, but not to speech', () => {
  const device: Device = { engines: ['webllm'] };
  expect(found(GGUF, device)).toEqual(['engine']);
  expect(found(HALF, device)).toEqual([]);
  const voices = [{ id: 'v', name: 'V', languages: ['en-US'] }];
  const speech = { family: 'piper' as const, sampleRate: 1, voices };
  const voice = variantOf(packEntry('m', 'r1', { speech }));
  expect(refusals(voice, { engines: ['webllm'], gpu: 'none' })).toEqual([]);
});

test('an ONNX graph of 16 bits needs a GPU that computes with them; others run everywhere', () => {
  const half = onnxVariant('m', 'fp16', { needs: { shaderF16: true } });
  const gpu: Device = { gpu: 'hardware', hasF16: true, onnxOnGpu: true, engines: ['llamacpp'] };
  expect(found(half, gpu)).toEqual([]);
  expect(found(half, {})).toEqual([]);
  expect(found(half, { ...gpu, hasF16: false })).toEqual(['shader-f16']);
  expect(found(half, { ...gpu, onnxOnGpu: false })).toEqual(['webgpu']);
  for (const device of [gpu, { gpu: 'none', onnxOnGpu: false } as const]) {
    expect(found(onnxVariant('m', 'fp32'), device)).toEqual([]);
    expect(found(onnxVariant('m', 'q8'), device)).toEqual([]);
  }
});

test('an ONNX graph that does not fit into memory is no good', () => {
  const large = onnxVariant('m', 'fp32', { needs: { memoryBytes: 2e9 } });
  expect(found(large, { memoryBudget: 2e9 })).toEqual([]);
  expect(found(large, { memoryBudget: 1e9 })).toEqual(['memory']);
  // A pack does not say what it needs: it is estimated from its size, as in the list.
  const pack = onnxVariant('m', 'fp32', { needs: {}, bytes: 1e9 });
  expect(found(pack, { memoryBudget: 2.45e9 })).toEqual([]);
  expect(found(pack, { memoryBudget: 2.44e9 })).toEqual(['memory']);
  expect(found(onnxVariant('m', 'fp32', { needs: {} }), { memoryBudget: 1 })).toEqual([]);
});

test('a GGUF model needs memory for its shortest context', () => {
  expect(found(GGUF, { memoryBudget: 612e3 })).toEqual([]);
  expect(found(GGUF, { memoryBudget: 612e3 - 1 })).toEqual(['memory']);
  expect(found(ggufVariant('m'), { memoryBudget: 1 })).toEqual([]);
});

test('a crash, and a GPU that has failed twice, are obstacles', () => {
  const crashed = record(GGUF, { crashes: 1, contextLimit: 1024 });
  expect(found(GGUF, { loads: [crashed] })).toEqual(['crashed']);
  const loads = (gpuFailures: number) => [record(HALF, { gpuFailures })];
  expect(found(HALF, { loads: loads(2) })).toEqual(['webgpu-failed']);
  expect(found(HALF, { loads: loads(1) })).toEqual([]);
});

test('what went wrong with other files of the same variant does not count', () => {
  const installed = { ...GGUF, installed: installation('r2') };
  expect(found(installed, { loads: [record(GGUF, { crashes: 1 })] })).toEqual([]);
  const pack = variantOf(packEntry('m', 'r2'));
  expect(found(pack, { loads: [record(pack, { gpuFailures: 2 })] })).toEqual([]);
});

test('what is unknown is not an obstacle', () => {
  expect(found(HALF, {}, 5e9)).toEqual([]);
  expect(found(HALF, { freeBytes: 0 })).toEqual([]);
});
