import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';

const MODELS = new URL('../../../models/', import.meta.url);
const SHARD = new URL('packs/tiny-embed/onnx/model.onnx', MODELS);

const tensors = v.array(v.object({ name: v.string(), shape: v.array(v.number()) }));
const librarySchema = v.object({
  encoders: v.object({
    'tiny-embed': v.object({ bytes: v.number(), sha256: v.string(), params: tensors }),
  }),
});
const cacheSchema = v.object({
  records: v.tuple([v.object({ nbytes: v.number(), records: tensors })]),
});

const read = (path: string) => readFileSync(new URL(path, MODELS));
const json = (path: string): unknown => JSON.parse(read(path).toString());
const byName = (all: v.InferOutput<typeof tensors>) =>
  new Map(all.map(({ name, shape }) => [name, shape]));

const { 'tiny-embed': library } = v.parse(
  librarySchema,
  json('library/built/library.json'),
).encoders;

test('the model library of tiny-embed is the one that the build described', () => {
  const wasm = read('library/built/tiny-embed.wasm');
  expect(wasm).toHaveLength(library.bytes);
  expect(createHash('sha256').update(wasm).digest('hex')).toBe(library.sha256);
});

test('tiny-embed as an MLC repository has the tensors that its library wants, in the ONNX file', () => {
  const [shard] = v.parse(cacheSchema, json('tiny-embed/mlc/tensor-cache.json')).records;
  expect(byName(shard.records)).toEqual(byName(library.params));
  expect(shard.nbytes).toBe(statSync(SHARD).size);
});
