import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { expect, test } from 'vitest';
import type { CatalogModel } from '../../../../src/index.ts';
import {
  bestOf,
  runnable,
  threeOf,
  type Capacity,
} from '../../../../src/console/models/best/best-models.ts';
import { CURATED, samplingOf } from '../../../../src/console/models/best/curated.ts';

const GB = 1e9;

/** A device on which a model of 98 MB writes so many tokens in a second. */
function device(tokensPerSecond: number, changes: Partial<Capacity> = {}): Capacity {
  const speed = 98e6 * tokensPerSecond;
  const roomy = { memoryBudget: 4 * GB, freeBytes: undefined };
  const gpu = { hasGpu: true, isOfGpu: false, runsGgufOnGpu: true };
  return { bytesPerSecond: speed, ...gpu, ...roomy, ...changes };
}

/** What the catalog knows of the models for WebLLM. */
function catalogOf(obstacles: CatalogModel['obstacles']): CatalogModel[] {
  return CURATED.filter(({ engine }) => engine === 'webllm').map(({ id }) => ({
    id,
    obstacles,
    task: 'chat',
    state: 'available',
    embedded: false,
    variants: [],
    variant: { engine: 'webllm', quantization: 'q4f16_1' },
    quantization: 'q4f16_1',
  }));
}

const WITHOUT_GPU = catalogOf(['webgpu']);

test('each curated model has a permissive licence, 0.3 to 8 billion parameters and its makers’ sampling', () => {
  for (const { id, license, parameters, sampling, bytes } of CURATED) {
    expect(license, id).toMatch(/^(apache-2\.0|mit|bsd-.+)$/);
    expect(parameters, id).toBeGreaterThan(0.3);
    expect(Math.floor(parameters), id).toBeLessThanOrEqual(8);
    expect(sampling.temperature, id).toBeGreaterThan(0);
    // Between 4 and 8 bits and a half for each parameter.
    expect((bytes * 8) / (parameters * GB), id).toBeGreaterThan(4);
    expect((bytes * 8) / (parameters * GB), id).toBeLessThan(8.6);
  }
});

test('the curated models for WebLLM are in its own list, and the others name a GGUF file', () => {
  const known = new Set(prebuiltAppConfig.model_list.map(({ model_id }) => `mlc-ai/${model_id}`));
  for (const { id, file, engine } of CURATED) {
    if (engine === 'webllm') expect(known).toContain(id);
    else expect(file, id).toMatch(/\.gguf$/);
  }
});

test('a slow device gets a small model, a fast one a large one, and one without a GPU none for WebGPU', () => {
  const best = (speed: number, catalog = WITHOUT_GPU) =>
    bestOf(runnable(catalog, device(speed)))?.model;
  expect(best(5)).toBeUndefined();
  expect(best(30)?.name).toBe('SmolLM2 360M');
  expect(best(50)?.name).toBe('Qwen2.5 0.5B');
  expect(best(120)?.name).toBe('Qwen2.5 1.5B');
  expect(best(600)).toMatchObject({ name: 'Qwen3 4B', engine: 'llamacpp' });
  expect(best(600, catalogOf([]))).toMatchObject({ name: 'Qwen3 4B', engine: 'webllm' });
  // A GPU in software runs models for WebGPU, but slower than the CPU.
  const imitated = runnable(catalogOf([]), device(600, { hasGpu: false }));
  expect(imitated.map(({ model }) => model.engine)).not.toContain('webllm');
});

test('a GPU is offered GGUF models, unless the CPU would compute them', () => {
  const engines = (changes: Partial<Capacity>) =>
    new Set(
      runnable(catalogOf([]), device(600, { isOfGpu: true, ...changes })).map(
        ({ model }) => model.engine,
      ),
    );
  expect(engines({})).toEqual(new Set(['webllm', 'llamacpp']));
  expect(engines({ runsGgufOnGpu: false })).toEqual(new Set(['webllm']));
  // What was measured on the CPU holds there.
  expect(engines({ isOfGpu: false, runsGgufOnGpu: false })).toEqual(
    new Set(['webllm', 'llamacpp']),
  );
});

test('no model is recommended that memory or storage has no room for', () => {
  const names = (changes: Partial<Capacity>) =>
    runnable(WITHOUT_GPU, device(600, changes)).map(({ model }) => model.name);
  expect(names({ memoryBudget: 0.7 * GB })).toEqual(['Qwen2.5 0.5B', 'SmolLM2 360M']);
  expect(names({ freeBytes: 0.3 * GB })).toEqual(['SmolLM2 360M']);
});

test('three models are the best for a device, each once', () => {
  const three = (speed: number) =>
    threeOf(runnable(WITHOUT_GPU, device(speed))).map(({ model }) => model.name);
  expect(three(250)).toEqual(['SmolLM3 3B', 'Qwen2.5 1.5B', 'Qwen2.5 0.5B']);
  expect(three(120)).toEqual(['Qwen2.5 1.5B', 'SmolLM2 360M']);
  expect(three(5000)).toEqual(['Qwen3 4B']);
});

test('a model of the list samples as it says, whichever of its files it is', () => {
  const id = 'Qwen/Qwen2.5-0.5B-Instruct-GGUF';
  expect(samplingOf(id)).toMatchObject({ temperature: 0.7, top_p: 0.8 });
  expect(samplingOf(`${id}:qwen2.5-0.5b-instruct-q8_0.gguf`)).toEqual(samplingOf(id));
  expect(samplingOf('someone/else')).toEqual({});
});
