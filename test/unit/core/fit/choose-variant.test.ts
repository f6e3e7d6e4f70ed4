import { expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import { chooseVariant, rankVariants } from '../../../../src/core/fit/choose-variant.ts';
import type { Device } from '../../../../src/core/fit/device-fit.ts';
import type { LoadRecord } from '../../../../src/core/fit/load-record.ts';
import type { Variant } from '../../../../src/core/catalog/variant.ts';
import {
  ggufVariant,
  hubEntry,
  hubVariant,
  installation,
  onnxVariant,
} from '../../support/entries.ts';

const half = hubVariant('m', { id: 'half', needs: { shaderF16: true } });
const full = hubVariant('m', { id: 'full', needs: { bufferBytes: 100 } });
const small = hubVariant('m', { id: 'small' });
const cpu = ggufVariant('m', { id: 'cpu' });
const installed = { installed: installation('c1') };

const model = (...variants: Variant[]): CatalogEntry => ({ ...hubEntry('m'), variants });

test('a device takes the first variant that it can run', () => {
  const entry = model(half, full, small);
  expect(chooseVariant(entry, { hasF16: true }).id).toBe('half');
  expect(chooseVariant(entry, { hasF16: false }).id).toBe('full');
  expect(chooseVariant(entry, { hasF16: false, bufferBytes: 99 }).id).toBe('small');
});

test('an unknown device takes the first variant', () => {
  expect(chooseVariant(model(half, small), {}).id).toBe('half');
});

test('an installed variant wins over a better one that is not installed', () => {
  const entry = model(half, { ...full, ...installed });
  expect(chooseVariant(entry, { hasF16: true }).id).toBe('full');
  expect(chooseVariant(entry, {}).id).toBe('full');
});

test('an installed variant that the device cannot run is not taken', () => {
  const entry = model({ ...half, ...installed }, small);
  expect(chooseVariant(entry, { hasF16: false }).id).toBe('small');
});

test('if the device can run none, its obstacles are those of the installed or the best one', () => {
  const device = { hasF16: false, bufferBytes: 1 };
  expect(chooseVariant(model(half, full), device).id).toBe('half');
  expect(chooseVariant(model(half, { ...full, ...installed }), device).id).toBe('full');
});

test('of two installed variants, the one that was faster here is taken, if both were measured', () => {
  const measured = (variant: Variant, writtenTokensPerSecond: number): Variant => ({
    ...variant,
    ...installed,
    measured: { at: 0, writtenTokensPerSecond },
  });
  const device: Device = { gpu: 'hardware', hasF16: true };
  expect(chooseVariant(model(measured(half, 30), measured(cpu, 40)), device).id).toBe('cpu');
  expect(chooseVariant(model(measured(half, 50), measured(cpu, 40)), device).id).toBe('half');
  const unknown = { ...half, ...installed };
  expect(chooseVariant(model(unknown, measured(cpu, 40)), device).id).toBe('half');
});

const GPU: Device = { gpu: 'hardware', hasF16: true };
const NO_F16: Device = { gpu: 'hardware', hasF16: false };
const EMULATED: Device = { gpu: 'software', hasF16: true };
const NO_GPU: Device = { gpu: 'none' };
/** This device's browser lacks WebAssembly's promise integration. */
const GPU_FOR_TEXT: Device = { ...GPU, onnxOnGpu: false };

test.each<[string, Device, string]>([
  ['a real GPU runs WebLLM', GPU, 'half'],
  ['a real GPU without shader-f16 runs its 32-bit variant', NO_F16, 'full'],
  ['a GPU that the CPU computes runs llama.cpp', EMULATED, 'cpu'],
  ['no GPU runs llama.cpp', NO_GPU, 'cpu'],
  ['a GPU that is excluded runs llama.cpp', { ...GPU, engines: ['llamacpp'] }, 'cpu'],
  ['an emulated GPU runs WebLLM if that is forced', { ...EMULATED, engines: ['webllm'] }, 'half'],
])('%s', (_, device, id) => {
  expect(chooseVariant(model(half, full, cpu), device).id).toBe(id);
});

test('a model that exists only for llama.cpp runs on it, and one only for WebLLM on an emulated GPU', () => {
  expect(chooseVariant(model(cpu), GPU).id).toBe('cpu');
  expect(chooseVariant(model(half, full), EMULATED).id).toBe('half');
});

test('an installed variant wins over a faster one, if it can run', () => {
  expect(chooseVariant(model(half, { ...cpu, ...installed }), GPU).id).toBe('cpu');
  expect(chooseVariant(model({ ...half, ...installed }, cpu), EMULATED).id).toBe('half');
  expect(chooseVariant(model({ ...half, ...installed }, cpu), NO_GPU).id).toBe('cpu');
});

const record = (variant: Variant, facts: Partial<LoadRecord>): LoadRecord => ({
  model: 'm',
  variant: variant.id,
  revision: 'c1',
  surroundings: 'here',
  crashes: 0,
  gpuFailures: 0,
  ...facts,
});

test('llama.cpp takes over from a GPU that has failed with the model', () => {
  const entry = model({ ...half, ...installed }, cpu);
  const failures = (gpuFailures: number) => ({ ...GPU, loads: [record(half, { gpuFailures })] });
  expect(chooseVariant(entry, failures(1)).id).toBe('half');
  expect(chooseVariant(entry, failures(2)).id).toBe('cpu');
  expect(chooseVariant(model(half), failures(2)).id).toBe('half');
});

test('after one crash WebLLM gives way; llama.cpp has one more try, with a shorter context', () => {
  const crashed = (variant: Variant, crashes: number) => record(variant, { crashes });
  const after = (...loads: LoadRecord[]) => chooseVariant(model(half, cpu), { ...GPU, loads }).id;
  expect(after(crashed(half, 1))).toBe('cpu');
  expect(after(crashed(half, 1), crashed(cpu, 1))).toBe('cpu');
  expect(after(crashed(half, 1), crashed(cpu, 2))).toBe('half');
});

test('a variant that may fail comes before one that cannot run, and after one that can', () => {
  const memory = { weightBytes: 1e9, tokenBytes: 1, bufferBytes: 1 };
  const large = { ...cpu, memory };
  const ids = (device: Device) => rankVariants(model(large, half), device).map(({ id }) => id);
  expect(ids({ ...EMULATED, memoryBudget: 1e6 })).toEqual(['half', 'cpu']);
  expect(ids({ ...NO_GPU, memoryBudget: 1e6 })).toEqual(['cpu', 'half']);
});

const ONNX = [
  onnxVariant('m', 'fp16', { needs: { shaderF16: true, memoryBytes: 3e8 } }),
  onnxVariant('m', 'fp32', { needs: { memoryBytes: 6e8 } }),
  onnxVariant('m', 'q8', { needs: { memoryBytes: 15e7 } }),
];
const ON_GPU: Device = { ...GPU, onnxOnGpu: true };

test.each<[string, Device, string[]]>([
  ['a GPU that computes in 16 bits takes them', ON_GPU, ['fp16', 'fp32', 'q8']],
  ['another GPU takes 32 bits', { ...ON_GPU, hasF16: false }, ['fp32', 'q8', 'fp16']],
  [
    'a GPU that no graph can use takes what is best on the CPU',
    GPU_FOR_TEXT,
    ['q8', 'fp32', 'fp16'],
  ],
  ['an emulated GPU takes that, too', { ...EMULATED, onnxOnGpu: false }, ['q8', 'fp32', 'fp16']],
  ['so does a device without one', { ...NO_GPU, onnxOnGpu: false }, ['q8', 'fp32', 'fp16']],
  ['and one that is not known', {}, ['q8', 'fp16', 'fp32']],
  ['8 bits are better than no memory', { ...ON_GPU, memoryBudget: 2e8 }, ['q8', 'fp16', 'fp32']],
])('of ONNX graphs, %s', (_, device, types) => {
  const ranked = rankVariants(model(...ONNX), device);
  expect(ranked.map(({ quantization }) => quantization)).toEqual(types);
});

test('an ONNX graph that has failed on the GPU and on the CPU gives way', () => {
  const loads = ONNX.slice(0, 1).map((failed) => record(failed, { gpuFailures: 2 }));
  expect(chooseVariant(model(...ONNX), { ...ON_GPU, loads }).id).toBe('onnx-fp32');
});
