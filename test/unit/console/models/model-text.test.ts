import { expect, test } from 'vitest';
import {
  describeDownload,
  describeMemory,
  describeModel,
  describeRemoval,
  describeStop,
  searchModels,
  shortName,
} from '../../../../src/console/models/model-text.ts';
import type { CatalogModel } from '../../../../src/index.ts';

const model: CatalogModel = {
  id: 'mlc-ai/Qwen3-4B-q4f16_1-MLC',
  task: 'chat',
  variant: { engine: 'webllm', quantization: 'q4f16_1' },
  variants: [],
  state: 'available',
  embedded: false,
  obstacles: [],
  bytes: 2_300_000_000,
  gpuBytes: 3_431_000_000,
  contextLength: 4096,
  quantization: 'q4f16_1',
  license: 'apache-2.0',
};
const bare: CatalogModel = {
  id: 'tiny',
  task: 'chat',
  variant: { engine: 'webllm', quantization: 'q0f32' },
  variants: [],
  state: 'available',
  embedded: false,
  obstacles: [],
  quantization: 'q0f32',
};

test('a model is called by the last part of its id', () => {
  expect(shortName(model.id)).toBe('Qwen3-4B-q4f16_1-MLC');
  expect(shortName(bare.id)).toBe('tiny');
});

test('the description of a model leaves out what is not known', () => {
  expect(describeModel(model)).toBe('mlc-ai · 2.3 GB · q4f16_1 · 4,096 tokens · GPU');
  expect(describeModel(bare)).toBe('q0f32 · GPU');
});

test('the description says what computes a model, if it runs here', () => {
  const gguf = { ...bare, variant: { engine: 'llamacpp', quantization: 'Q8_0' } } as const;
  expect(describeModel({ ...gguf, device: 'webgpu' })).toMatch(/ · GPU$/);
  expect(describeModel({ ...gguf, device: 'wasm' })).toMatch(/ · CPU$/);
  const voice = { ...gguf, variant: { engine: 'onnx', quantization: 'q8' } } as const;
  expect(describeModel({ ...voice, gpuBytes: 0 })).toMatch(/ · CPU$/);
  expect(describeModel({ ...voice, gpuBytes: 1e6 })).toMatch(/ · GPU$/);
  const own = { ...bare, variant: { engine: 'builtin', quantization: '' } } as const;
  expect(describeModel(own)).toBe('q0f32');
  expect(describeModel({ ...gguf, obstacles: ['memory'] })).not.toContain('CPU');
});

test('a removal says what of a download is deleted, and where it ends', () => {
  const part = { ...model, downloadedBytes: 12_400_000 };
  expect(describeRemoval({ ...part, state: 'downloading' })).toBe(
    'This ends its download in all tabs and deletes what has been downloaded: 12.4 MB.',
  );
  expect(describeRemoval({ ...part, state: 'paused' })).toBe(
    'This deletes what has been downloaded: 12.4 MB.',
  );
  expect(describeRemoval({ ...model, state: 'installed' })).toContain('frees 2.3 GB.');
  expect(describeRemoval({ ...bare, state: 'installed' })).not.toContain('frees');
});

test('a speech model is described without a context length', () => {
  expect(describeModel({ ...bare, contextLength: 400, task: 'speech' })).toBe('q0f32 · GPU');
});

test('a download is described by its size and the free space', () => {
  const text = describeDownload(model, 10e9).join(' ');
  for (const part of ['2.3 GB', '10 GB left']) {
    expect(text).toContain(part);
  }
});

test('the description says if a download will probably not fit', () => {
  expect(describeDownload(model, 1e9).at(-1)).toContain('probably not fit');
});

test('an unknown size is called unknown, and the GPU memory is used instead', () => {
  expect(describeDownload(bare, undefined).join()).toContain('size is unknown');
  const { bytes: _, ...unsized } = model;
  expect(describeModel(unsized)).toContain('3.43 GB of GPU memory');
  expect(describeDownload(unsized, 1e9).at(-1)).toContain('probably not fit');
});

test('a search finds every word, in any order and case', () => {
  expect(searchModels([model, bare], '4b QWEN')).toEqual([model]);
  expect(searchModels([model, bare], '  ')).toEqual([model, bare]);
  expect(searchModels([model, bare], 'llama')).toEqual([]);
});

test('a model that the device cannot run is marked, and the question before its download says why', () => {
  const large: CatalogModel = { ...model, obstacles: ['shader-f16', 'buffer-size'] };
  expect(describeModel(large)).toContain('does not fit this device');
  const text = describeDownload(large, 10e9).join(' ');
  for (const part of ['shader-f16', 'buffers']) expect(text).toContain(part);
});

test('a download that has begun shows the loaded and the total size', () => {
  const begun: CatalogModel = { ...model, state: 'paused', downloadedBytes: 1_200_000_000 };
  expect(describeModel(begun)).toContain('1.20 of 2.30 GB');
});

test('a model that cannot run here says so, and a download says why', () => {
  const large: CatalogModel = { ...model, obstacles: ['webgpu', 'memory', 'storage'] };
  expect(describeModel(large)).toContain('does not fit this device');
  const text = describeDownload(large, undefined).join(' ');
  expect(text).toContain('It needs WebGPU');
  expect(text).toContain('needs more memory');
});

test('a model whose load ended the tab may still be loaded with less', () => {
  const crashed: CatalogModel = { ...model, obstacles: ['crashed'] };
  expect(describeModel(crashed)).toContain('crashed the tab when loading');
});

test('the memory of a model is told beside that of all models', () => {
  const loaded = { ...model, memoryBytes: 3_431_000_000 };
  expect(describeMemory(loaded, 4e9)).toBe('about 3.43 GB of GPU memory, of 4 GB for all models');
  expect(describeMemory({ ...loaded, gpuBytes: 0 }, 4e9)).toBe(
    'about 3.43 GB, of 4 GB for all models',
  );
  expect(describeMemory(bare, 4e9)).toBeUndefined();
});

test('a download that does not run says why', () => {
  expect(describeStop({ why: 'paused' })).toContain('paused');
  expect(describeStop({ why: 'interrupted' })).toContain('ended when its tab was closed');
  expect(describeStop({ why: 'failed', message: 'The hub answered 503.' })).toBe(
    'The hub answered 503.',
  );
});
