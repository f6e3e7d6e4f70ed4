import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import { readGgufHeader } from '../../../../../src/core/files/gguf/gguf-header.ts';
import { ggufMemory } from '../../../../../src/core/files/gguf/gguf-memory.ts';
import {
  manifestSchema,
  type PackManifest,
  type PackVariant,
} from '../../../../../src/core/catalog/pack-manifest.ts';
import { memorySource } from '../../../../../src/node/pack/sources/byte-source.ts';
import type { ModelOptions } from '../../../../../src/node/pack/model-options.ts';
import {
  withPackSources,
  type PackPaths,
} from '../../../../../src/node/pack/sources/pack-sources.ts';
import { writePack } from '../../../../../src/node/pack/writing/write-pack.ts';
import { readPackFolder } from '../../../../../src/node/pack-files.ts';
import { ggufBytes } from '../../../../support/gguf/gguf-bytes.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import {
  ggufTensors,
  METADATA,
  splitGguf,
  tinyGguf,
  TOKENS,
  writeSnapshot,
} from '../tiny-llama.ts';
import { DESCRIPTION, writeLibrary } from '../tiny-library.ts';

let root: string;
let out: string;
let gguf: string;

beforeEach(() => {
  root = temporaryFolder();
  out = join(root, 'packs/tiny');
  gguf = join(root, 'tiny.Q4_1.gguf');
  writeFileSync(gguf, tinyGguf());
  writeSnapshot(join(root, 'snapshot'));
});

async function write(description: object = DESCRIPTION, changes: Partial<ModelOptions> = {}) {
  const options = { ...writeLibrary(join(root, 'library'), description), ...changes };
  const paths = { checkpoint: gguf, library: options.library ?? '' };
  return withPackSources(paths, (sources) => writePack(sources, options, out));
}

/** Writes a pack with the required options only. */
async function writeFrom(paths: PackPaths) {
  return withPackSources(paths, (sources) => writePack(sources, OPTIONS, out));
}

const OPTIONS: ModelOptions = { id: 'test/tiny', ownedBy: 'test', license: 'mit', created: 1 };

function json(name: string): unknown {
  return JSON.parse(readFileSync(join(out, name), 'utf8'));
}

function variantFor<E extends PackVariant['engine']>({ variants }: PackManifest, engine: E) {
  const found = variants.find((variant) => variant.engine === engine);
  if (!found) throw new Error(`There is no variant for ${engine}.`);
  return found as Extract<PackVariant, { engine: E }>;
}

test('the manifest of a chat model has the calibration of its options', async () => {
  const calibration = { choice: { temperature: 1.5 } };
  expect(await write(DESCRIPTION, { calibration })).toMatchObject({ calibration });
  expect(await write()).not.toHaveProperty('calibration');
});

test('the manifest has the facts of the model, and a variant for each engine', async () => {
  const manifest = await write();
  expect(v.parse(manifestSchema, json('manifest.json'))).toEqual(manifest);
  expect(manifest).toMatchObject({
    id: 'test/tiny',
    task: 'chat',
    ownedBy: 'test',
    license: 'mit',
    created: 1,
    contextLength: 128,
    features: [],
    variants: [
      { engine: 'webllm', quantization: 'q4f32_s8', modelLibrary: 'model.wasm' },
      {
        engine: 'llamacpp',
        quantization: 'F32',
        parts: ['tiny.Q4_1.gguf'],
        sampling: { temperature: 0.5, topP: 1 },
      },
    ],
  });
});

test('the variants name every file of the pack, with its size and hash', async () => {
  const { variants } = await write();
  const files = variants.flatMap((variant) => variant.files);
  const found = readdirSync(out).filter((name) => name !== 'manifest.json');
  expect(files.map(({ path }) => path).toSorted()).toEqual(found.toSorted());
  for (const { path, size, sha256 } of files) {
    const bytes = readFileSync(join(out, path));
    expect(size).toBe(bytes.length);
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
  expect(readPackFolder(out).name).toBe('tiny');
});

test('GPU memory counts the weights and a full KV cache with one spare page', async () => {
  const weights = DESCRIPTION.params.reduce((sum, { shape }) => {
    return sum + 4 * shape.reduce((a, b) => a * b);
  }, 0);
  const { needs } = variantFor(await write(), 'webllm');
  expect(needs.memoryBytes).toBe(weights + (128 + 16) * 2 * 32 * 4);
});

test('the revision of a variant depends on its own files, and on nothing else', async () => {
  const first = await write();
  expect(await write()).toEqual(first);
  const shape = { ...DESCRIPTION.shape, context: 64 };
  const second = await write({ ...DESCRIPTION, shape });
  const revisions = (engine: PackVariant['engine']) =>
    [first, second].map((manifest) => variantFor(manifest, engine).revision);
  expect(new Set(revisions('webllm')).size).toBe(2);
  expect(new Set(revisions('llamacpp')).size).toBe(1);
});

test('the GGUF file is packed as it is, with the memory that it takes', async () => {
  const { memory } = variantFor(await write(), 'llamacpp');
  expect(readFileSync(join(out, 'tiny.Q4_1.gguf'))).toEqual(readFileSync(gguf));
  expect(memory).toEqual(ggufMemory([await readGgufHeader(memorySource(gguf, tinyGguf()))]));
});

test('without a model library, the pack is for llama.cpp alone', async () => {
  const { contextLength, variants } = await writeFrom({ checkpoint: gguf });
  expect(variants.map(({ engine }) => engine)).toEqual(['llamacpp']);
  expect(contextLength).toBe(128);
  expect(variants[0]).not.toHaveProperty('sampling');
  expect(readPackFolder(out).files).toEqual(['manifest.json', 'tiny.Q4_1.gguf']);
});

test('a folder from the hub is packed for WebLLM, and with a GGUF file for both', async () => {
  const { library } = writeLibrary(join(root, 'library'));
  const paths = { checkpoint: join(root, 'snapshot'), ...(library !== undefined && { library }) };
  const engines = async (more: Partial<PackPaths>) => {
    const { variants } = await writeFrom({ ...paths, ...more });
    return variants.map(({ engine }) => engine);
  };
  expect(await engines({})).toEqual(['webllm']);
  expect(await engines({ gguf })).toEqual(['webllm', 'llamacpp']);
});

test('all parts of a split GGUF file are packed, in order', async () => {
  const parts = [1, 2].map((part) => `tiny-0000${part}-of-00002.gguf`);
  splitGguf().forEach((bytes, index) => writeFileSync(join(root, parts[index] ?? ''), bytes));
  const manifest = await writeFrom({ checkpoint: join(root, parts[1] ?? '') });
  const whole = await writeFrom({ checkpoint: gguf });
  expect(variantFor(manifest, 'llamacpp')).toMatchObject({
    parts,
    memory: variantFor(whole, 'llamacpp').memory,
  });
  rmSync(join(root, parts[1] ?? ''));
  await expect(writeFrom({ checkpoint: join(root, parts[0] ?? '') })).rejects.toThrow(
    `There is no file ${join(root, parts[1] ?? '')}`,
  );
});

test('a GGUF file of another model than the checkpoint is refused', async () => {
  const tokens = [...TOKENS, 'b'];
  const other = {
    ...METADATA,
    'tokenizer.ggml.tokens': { strings: tokens },
    'tokenizer.ggml.token_type': { i32s: tokens.map(() => 1) },
  };
  writeFileSync(gguf, ggufBytes(other, ggufTensors()));
  const { library = '' } = writeLibrary(join(root, 'library'));
  const paths = { checkpoint: join(root, 'snapshot'), library, gguf };
  await expect(writeFrom(paths)).rejects.toThrow(
    `${gguf} is of another model: its vocabulary has 7 tokens instead of 6.`,
  );
});

test('a GGUF file that is cut off is refused', async () => {
  truncateSync(gguf, 3000);
  await expect(writeFrom({ checkpoint: gguf })).rejects.toThrow(/is truncated/);
});

test('a folder from the hub without a model library is refused', async () => {
  const checkpoint = join(root, 'snapshot');
  await expect(writeFrom({ checkpoint })).rejects.toThrow(
    `${checkpoint} cannot be packed for any engine`,
  );
});

test("the configuration holds the model's numbers, and ends answers at all end tokens", async () => {
  await write();
  expect(json('mlc-chat-config.json')).toMatchObject({
    vocab_size: 6,
    context_window_size: 128,
    prefill_chunk_size: 16,
    temperature: 0.5,
    top_p: 1,
    eos_token_id: 2,
    model_config: { hidden_size: 64, num_hidden_layers: 1 },
    conv_template: { stop_token_ids: [2, 0] },
  });
});

test('an existing pack is replaced as a whole', async () => {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'old.bin'), 'old');
  await write();
  expect(readdirSync(out)).not.toContain('old.bin');
  expect(readdirSync(join(root, 'packs'))).toEqual(['tiny']);
});

test.each([
  ['another shape', { shape: { ...DESCRIPTION.shape, heads: 4 } }, /has heads 2; .* for heads 4/],
  [
    'another rope',
    { shape: { ...DESCRIPTION.shape, rope_theta: 5e5 } },
    /ropeTheta 10000; .*500000/,
  ],
  ['another quantisation', { quantization: 'q4f16_1' }, /is for q4f16_1; packs are q4f32_s8/],
  ['another file', { sha256: '00' }, /is not the file that .*library.json describes/],
  ['another name', { file: 'other.wasm' }, /does not describe tiny.wasm/],
  ['fewer parameters', { params: DESCRIPTION.params.slice(1) }, /does not read embed_tokens.lo/],
  [
    'more parameters',
    { params: [...DESCRIPTION.params, { name: 'lm_head.q', dtype: 'uint32', shape: [1] }] },
    /reads lm_head.q, which no pack has/,
  ],
])('a library made for %s is refused, and the old pack stays', async (_, change, message) => {
  await write(DESCRIPTION, { id: 'test/old' });
  await expect(write({ ...DESCRIPTION, ...change })).rejects.toThrow(message);
  expect(json('manifest.json')).toMatchObject({ id: 'test/old' });
  expect(readdirSync(join(root, 'packs'))).toEqual(['tiny']);
});
