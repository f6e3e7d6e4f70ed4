import { expect, test } from 'vitest';
import { sees, type CatalogEntry } from '../../../../../src/core/catalog/catalog-entry.ts';
import { prebuiltModels } from '../../../../../src/engine/webllm/installation/prebuilt-models.ts';

const models = prebuiltModels();
const find = (id: string) => models.find((model) => model.id === id);
/** The variant of the model's own repository. */
const ownVariant = (model: CatalogEntry | undefined) => model?.variants[0];

test('WebLLM’s list has many models, each of them once', () => {
  expect(models.length).toBeGreaterThan(100);
  expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
});

test('every model names its repository on the hub and the path of its library', () => {
  for (const model of models) {
    expect(model.id).toMatch(/^[^/]+\/[^/]+$/);
    expect(ownVariant(model)).toMatchObject({
      engine: 'webllm',
      source: {
        kind: 'hub',
        repository: model.id,
        library: expect.stringMatching(/^v\d.*\.wasm$/),
      },
    });
  }
});

test('of a model that the list has twice, the larger context counts', () => {
  const phi = find('mlc-ai/Phi-3.5-mini-instruct-q4f16_1-MLC');
  expect(phi?.contextLength).toBe(4096);
  expect(ownVariant(phi)).toMatchObject({ overrides: { context_window_size: 4096 } });
});

test('a model has its quantisation and its needs', () => {
  const llama = find('mlc-ai/Llama-3.2-1B-Instruct-q4f16_1-MLC');
  expect(llama).toMatchObject({ task: 'chat', ownedBy: 'mlc-ai', created: 0 });
  const variant = ownVariant(llama);
  expect(variant).toMatchObject({
    id: 'webllm-q4f16_1',
    quantization: 'q4f16_1',
    needs: { shaderF16: true },
  });
  expect(variant?.needs.memoryBytes).toBeGreaterThan(5e8);
});

test('a model in f16 has a variant in f32, if the list has that repository', () => {
  const repositories = (id: string) =>
    find(id)?.variants.map(({ id: variant, source, needs }) => [
      variant,
      source.kind === 'hub' && source.repository,
      needs.shaderF16 ?? false,
    ]);
  const [f16, f32] = ['f16', 'f32'].map((type) => `mlc-ai/Llama-3.2-1B-Instruct-q4${type}_1-MLC`);
  expect(repositories(f16 ?? '')).toEqual([
    ['webllm-q4f16_1', f16, true],
    ['webllm-q4f32_1', f32, false],
  ]);
  expect(repositories(f32 ?? '')).toEqual([['webllm-q4f32_1', f32, false]]);
  const alone = 'mlc-ai/gemma3-1b-it-q4f16_1-MLC';
  expect(repositories(alone)).toEqual([['webllm-q4f16_1', alone, true]]);
});

test('its embedders are left out: other engines run their GGUF files and ONNX graphs', () => {
  expect(models.filter(({ task }) => task !== 'chat')).toEqual([]);
  expect(models.filter(({ id }) => id.includes('embed'))).toEqual([]);
});

test('models that see are known to see', () => {
  const seeing = models.filter(sees).map(({ id }) => id);
  expect(seeing.toSorted()).toEqual([
    'mlc-ai/Phi-3.5-vision-instruct-q4f16_1-MLC',
    'mlc-ai/Phi-3.5-vision-instruct-q4f32_1-MLC',
  ]);
});
