import { expect, test } from 'vitest';
import type { Device } from '../../../../src/core/fit/device-fit.ts';
import { refusals } from '../../../../src/core/fit/device-fit.ts';
import { rankVariants } from '../../../../src/core/fit/choose-variant.ts';
import { add } from '../../support/adding.ts';
import { openEngine } from '../../support/servers/engine-site.ts';
import { largeFiles } from '../../support/servers/hub-server.ts';

const NAME = 'someone/ranker-ONNX';
const CONFIG = {
  architectures: ['BertForSequenceClassification'],
  max_position_embeddings: 64,
  id2label: { 0: 'LABEL_0' },
};

/** The entry of a ranker with these graphs. @param graphs - name → size in bytes */
async function added(graphs: Record<string, number>) {
  const files = Object.entries(graphs).map(([name, size]) => [`onnx/${name}`, Buffer.alloc(size)]);
  const json = (value: object) => Buffer.from(JSON.stringify(value));
  const site = await openEngine(
    largeFiles(NAME, {
      'config.json': json(CONFIG),
      'tokenizer.json': json({}),
      ...Object.fromEntries(files),
    }),
  );
  await add(site, NAME);
  const entry = await site.catalog.get(NAME);
  if (!entry) throw new Error('It was not added.');
  return entry;
}

const GPU: Device = { gpu: 'hardware', hasF16: true, onnxOnGpu: true };

test('a repository’s graphs for GPUs are variants, each with its own files', async () => {
  const entry = await added({
    'model.onnx': 40,
    'model_fp16.onnx': 20,
    'model_fp16.onnx_data': 1,
    'model_quantized.onnx': 10,
  });
  expect(entry.variants).toMatchObject([
    { id: 'onnx-fp16', bytes: 21, needs: { shaderF16: true }, graph: 'onnx/model_fp16.onnx' },
    { id: 'onnx-fp32', bytes: 40, graph: 'onnx/model.onnx' },
    { id: 'onnx-q8', bytes: 10, graph: 'onnx/model_quantized.onnx' },
  ]);
  const paths = entry.variants.map(({ source }) =>
    'files' in source ? source.files.flatMap((part) => ('paths' in part ? part.paths : [])) : [],
  );
  const common = ['config.json', 'tokenizer.json'];
  expect(paths).toEqual([
    [...common, 'onnx/model_fp16.onnx', 'onnx/model_fp16.onnx_data'],
    [...common, 'onnx/model.onnx'],
    [...common, 'onnx/model_quantized.onnx'],
  ]);
  const first = (device: Device) => rankVariants(entry, device)[0]?.quantization;
  expect(first(GPU)).toBe('fp16');
  expect(first({ ...GPU, hasF16: false })).toBe('fp32');
  expect(first({ ...GPU, onnxOnGpu: false })).toBe('q8');
});

test('a repository with 16 bits alone is for GPUs alone', async () => {
  const { variants } = await added({ 'model_fp16.onnx': 20 });
  expect(variants.map((variant) => refusals(variant, GPU))).toEqual([[]]);
  const device: Device = { gpu: 'none', onnxOnGpu: false };
  expect(variants.map((variant) => refusals(variant, device))).toEqual([['webgpu']]);
});
