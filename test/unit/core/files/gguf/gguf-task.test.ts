import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readGgufHeader } from '../../../../../src/core/files/gguf/gguf-header.ts';
import { ggufTask } from '../../../../../src/core/files/gguf/gguf-task.ts';
import type { Field } from '../../../../support/gguf/gguf-bytes.ts';
import { memoryRanges } from '../../../../support/gguf/memory-ranges.ts';
import { tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';
import { tinyRanker } from '../../../../support/gguf/tiny-ranker.ts';

const PACK = new URL('../../../../../models/packs/tiny-embed-gguf/', import.meta.url);

async function taskOf(bytes: Uint8Array) {
  return ggufTask(await readGgufHeader(memoryRanges(bytes, 'a.gguf')));
}

const llama = (metadata: Record<string, Field | undefined>) => taskOf(tinyGguf({ metadata }));
const ranker = (metadata: Record<string, Field>) => taskOf(tinyRanker(metadata));

test('a model without pooling writes text', async () => {
  expect(await llama({})).toEqual({ task: 'chat' });
});

test.each([1, 2, 3])('a model with pooling %i embeds, whatever its architecture', async (u32) => {
  const pooling = { 'llama.pooling_type': { u32 } };
  expect(await llama(pooling)).toEqual({ task: 'embedding', length: 64 });
  expect(await llama({ ...pooling, 'llama.embedding_length_out': { u32: 32 } })).toEqual({
    task: 'embedding',
    length: 32,
  });
});

test('the committed embedder is one', async () => {
  const bytes = readFileSync(new URL('tiny-embed-F16.gguf', PACK));
  expect(await taskOf(bytes)).toEqual({ task: 'embedding', length: 128 });
});

test('a model that gives one score for a pair ranks', async () => {
  expect(await ranker({})).toEqual({ task: 'rerank' });
  const labels = { 'bert.classifier.output_labels': { strings: ['LABEL_0'] } };
  expect(await ranker(labels)).toEqual({ task: 'rerank' });
});

test('an embedder that leaves open how its vectors are made is refused', async () => {
  await expect(ranker({ 'bert.pooling_type': { u32: 0 } })).rejects.toThrow(
    'a.gguf is a model for embeddings, and does not say how its vectors are pooled.',
  );
  const pooling = { 'llama.pooling_type': { u32: 1 } };
  await expect(llama({ ...pooling, 'llama.context_length': undefined })).rejects.toThrow(
    'how long a text may be',
  );
});

test('a ranker whose scores would not be those that it was trained to give is refused', async () => {
  const labels = { 'bert.classifier.output_labels': { strings: ['yes', 'no'] } };
  await expect(ranker(labels)).rejects.toThrow('gives 2 numbers');
  const types: Record<string, Field> = { 'tokenizer.ggml.token_type_count': { u32: 2 } };
  // Such a tokenizer gives all tokens the same type.
  expect(await ranker(types)).toEqual({ task: 'rerank' });
  const pieces: Record<string, Field> = { 'tokenizer.ggml.model': { string: 'bert' } };
  await expect(ranker({ ...types, ...pieces })).rejects.toThrow('token types');
});
