import { expect, test, vi } from 'vitest';
import { readGgufHeader } from '../../../../../src/core/files/gguf/gguf-header.ts';
import {
  BATCH_TOKENS,
  EMBEDDED_TOKENS,
  ggufMemory,
} from '../../../../../src/core/files/gguf/gguf-memory.ts';
import { withKvCache } from '../../../../../src/core/fit/kv-cache.ts';
import { memoryFor } from '../../../../../src/core/files/gguf/memory-of-context.ts';
import { ggufShape } from '../../../../../src/core/files/gguf/gguf-shape.ts';
import type { Field } from '../../../../support/gguf/gguf-bytes.ts';
import {
  FAMILY_CONTEXT,
  FAMILY_NAMES,
  ggufOfFamily,
} from '../../../../support/gguf/gguf-families.ts';
import { openLlamaProduct } from '../../../../support/gguf/llama-product.ts';
import { memoryRanges } from '../../../../support/gguf/memory-ranges.ts';
import { splitTinyGguf, tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';
import { tinyRanker } from '../../../../support/gguf/tiny-ranker.ts';

// Compiling llama.cpp takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

async function memoryOf(...parts: Buffer[]) {
  const [first, ...others] = await Promise.all(
    parts.map((part) => readGgufHeader(memoryRanges(part))),
  );
  if (!first) throw new Error('There is no part.');
  return ggufMemory([first, ...others]);
}

test.each([
  ['tiny', {}, 512],
  ['wide', { layers: 6, width: 256, innerWidth: 1024, heads: 8, cacheHeads: 4 }, 2048],
  ['quantised', { layers: 8, width: 256, heads: 8, cacheHeads: 8, isQuantised: true }, 8192],
  ['deep, with a long context', { layers: 30, width: 128, heads: 4, cacheHeads: 4 }, 8192],
  ['of a large vocabulary', { moreTokens: 60_000 }, 512],
])('a model that is %s takes what was estimated, within 10 %%', async (_, shape, contextLength) => {
  const file = tinyGguf({ shape: { ...shape, contextLength } });
  const llama = await openLlamaProduct();
  expect(llama.load([file])).toBeUndefined();
  llama.compute(contextLength, BATCH_TOKENS);
  const estimate = memoryFor(await memoryOf(file), contextLength);
  expect(estimate / llama.memoryBytes).toBeGreaterThan(0.9);
  expect(estimate / llama.memoryBytes).toBeLessThan(1.1);
});

test.each(FAMILY_NAMES)('a model of %s takes what was estimated, within 10 %%', async (name) => {
  const file = ggufOfFamily(name);
  const llama = await openLlamaProduct();
  expect(llama.load([file])).toBeUndefined();
  llama.compute(FAMILY_CONTEXT, BATCH_TOKENS);
  const estimate = memoryFor(await memoryOf(file), FAMILY_CONTEXT);
  expect(estimate / llama.memoryBytes).toBeGreaterThan(0.9);
  expect(estimate / llama.memoryBytes).toBeLessThan(1.1);
});

test.each(FAMILY_NAMES)(
  'a model of %s with a KV cache in Q8_0 takes what was estimated, within 10 %%',
  async (name) => {
    const file = ggufOfFamily(name);
    const llama = await openLlamaProduct();
    expect(llama.load([file])).toBeUndefined();
    llama.compute(FAMILY_CONTEXT, BATCH_TOKENS, true);
    const memory = withKvCache(await memoryOf(file), 'q8_0');
    expect(memory.tokenBytes).toBeLessThan((await memoryOf(file)).tokenBytes / 2);
    const estimate = memoryFor(memory, FAMILY_CONTEXT);
    expect(estimate / llama.memoryBytes).toBeGreaterThan(0.9);
    expect(estimate / llama.memoryBytes).toBeLessThan(1.1);
  },
);

const WITH_CACHE = {
  metadata: { 'llama.pooling_type': { u32: 3 } },
  shape: { layers: 6, width: 384, innerWidth: 1536, heads: 12, cacheHeads: 12 },
};
const ENCODER = { 'bert.context_length': { u32: EMBEDDED_TOKENS } };

test.each([
  ['with a KV cache', () => tinyGguf(WITH_CACHE)],
  ['without one', () => tinyRanker(ENCODER, { width: 384, layers: 6 })],
])('an embedder %s takes what was estimated, within 10 %%', async (_, make) => {
  const file = make();
  const llama = await openLlamaProduct();
  expect(llama.load([file])).toBeUndefined();
  llama.embed(EMBEDDED_TOKENS);
  const memory = await memoryOf(file);
  expect(memory.tokenBytes).toBe(0);
  const estimate = memoryFor(memory, EMBEDDED_TOKENS);
  expect(estimate / llama.memoryBytes).toBeGreaterThan(0.9);
  expect(estimate / llama.memoryBytes).toBeLessThan(1.1);
});

test('the parts of a split model take as much as the whole', async () => {
  expect(await memoryOf(...splitTinyGguf(3))).toEqual(await memoryOf(tinyGguf()));
});

/** Keys and values of two layers with two heads of 16 floats each, and the mask of a batch. */
const TOKEN = 2 * 2 * (16 + 16) * 4;
const MASK = BATCH_TOKENS * 2;

test.each<[string, Record<string, Field>, number]>([
  ['heads are as the file says', { 'llama.attention.head_count_kv': { u32: 1 } }, TOKEN / 2],
  ['heads may differ by layer', { 'llama.attention.head_count_kv': { i32s: [0, 2] } }, TOKEN / 2],
  ['heads may have a size of their own', { 'llama.attention.key_length': { u32: 48 } }, TOKEN * 2],
  ['latent attention keeps no values', { 'llama.attention.key_length_mla': { u32: 9 } }, TOKEN / 2],
  ['layers for speculation are not used', { 'llama.nextn_predict_layers': { u32: 1 } }, TOKEN / 2],
  ['layers may share a cache', { 'llama.attention.shared_kv_layers': { u32: 1 } }, TOKEN / 2],
  ['some layers may be recurrent', { 'llama.full_attention_interval': { u32: 2 } }, TOKEN / 2],
  [
    'a window has a mask of its own',
    { 'llama.attention.sliding_window': { u32: 64 } },
    TOKEN + MASK,
  ],
])('KV cache: %s', async (_, metadata, expected) => {
  expect((await memoryOf(tinyGguf({ metadata }))).tokenBytes).toBe(expected + MASK);
});

/** Two layers with two heads of 32 values, in blocks of 34 bytes. */
const Q8_TOKEN = 2 * 2 * 2 * 34;
const WIDE = { shape: { width: 128 } };

test.each<[string, Parameters<typeof tinyGguf>[0], number | undefined]>([
  ['heads have 32 values', WIDE, Q8_TOKEN],
  ['heads have 16 values', {}, undefined],
  [
    'heads have 48 values',
    { ...WIDE, metadata: { 'llama.attention.key_length': { u32: 48 } } },
    undefined,
  ],
  [
    'heads of a window have 48 values',
    { ...WIDE, metadata: { 'llama.attention.value_length_swa': { u32: 48 } } },
    undefined,
  ],
  [
    'rows have an odd number of blocks, so that they end in a word of WebGPU',
    { ...WIDE, metadata: { 'llama.attention.head_count_kv': { u32: 1 } } },
    undefined,
  ],
  [
    'attention is latent',
    { ...WIDE, metadata: { 'llama.attention.key_length_mla': { u32: 32 } } },
    undefined,
  ],
  [
    'no layer has a KV cache',
    { ...WIDE, metadata: { 'llama.attention.head_count_kv': { i32s: [0, 0] } } },
    undefined,
  ],
  ['it embeds', { ...WIDE, metadata: { 'llama.pooling_type': { u32: 3 } } }, undefined],
])('a KV cache in Q8_0, if %s', async (_, options, expected) => {
  const { q8TokenBytes } = await memoryOf(tinyGguf(options));
  expect(q8TokenBytes).toBe(expected && expected + MASK);
});

test('the KV cache of a quantised model has 16 bits for each number', async () => {
  const quantised = tinyGguf({ shape: { isQuantised: true } });
  expect((await memoryOf(quantised)).tokenBytes).toBe(TOKEN / 2 + MASK);
});

test.each<[string, Record<string, Field>, number]>([
  ['RWKV', { 'llama.wkv.head_size': { u32: 64 }, 'llama.token_shift_count': { u32: 1 } }, 64 * 65],
  ['LFM2', { 'llama.shortconv.l_cache': { u32: 3 } }, 64 * 2],
  [
    'Mamba',
    {
      'llama.ssm.conv_kernel': { u32: 4 },
      'llama.ssm.inner_size': { u32: 128 },
      'llama.ssm.state_size': { u32: 16 },
      'llama.ssm.group_count': { u32: 1 },
    },
    3 * (128 + 2 * 16) + 128 * 16,
  ],
  [
    'Kimi',
    { 'llama.kda.head_dim': { u32: 8 }, 'llama.ssm.conv_kernel': { u32: 4 } },
    4 * (8 * 9 + 8 * 8),
  ],
])('states of recurrent layers are counted: %s', async (_, metadata, values) => {
  const header = await readGgufHeader(memoryRanges(tinyGguf({ metadata })));
  expect(ggufShape(header).stateValues).toBe(2 * values);
});
