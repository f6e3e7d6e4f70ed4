import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import { manifestSchema } from '../../../../src/core/stores/catalog-entry.ts';
import { memorySource } from '../../../../src/node/pack/byte-source.ts';
import { ggufCheckpoint } from '../../../../src/node/pack/gguf-checkpoint.ts';
import { writePack } from '../../../../src/node/pack/write-pack.ts';
import { readPackFolder } from '../../../../src/node/pack-files.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { tinyGguf } from './tiny-llama.ts';
import { DESCRIPTION, writeLibrary } from './tiny-library.ts';

let root: string;
let out: string;

beforeEach(() => {
  root = temporaryFolder();
  out = join(root, 'packs/tiny');
});

async function write(description: object = DESCRIPTION, id?: string) {
  const options = writeLibrary(join(root, 'library'), description);
  const checkpoint = await ggufCheckpoint(memorySource('model.gguf', tinyGguf()));
  return writePack(checkpoint, { ...options, ...(id !== undefined && { id }) }, out);
}

function json(name: string): unknown {
  return JSON.parse(readFileSync(join(out, name), 'utf8'));
}

test('the manifest names every file, with its size and hash', async () => {
  await write();
  const manifest = v.parse(manifestSchema, json('manifest.json'));
  expect(manifest).toMatchObject({
    ...{ id: 'test/tiny', ownedBy: 'test', license: 'mit', created: 1 },
    ...{ quantization: 'q4f32_s8', contextLength: 128, modelLibrary: 'model.wasm' },
  });
  const found = readdirSync(out).filter((name) => name !== 'manifest.json');
  expect(manifest.files.map(({ path }) => path)).toEqual(found.sort());
  for (const { path, size, sha256 } of manifest.files) {
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
  expect((await write()).gpuBytes).toBe(weights + (128 + 16) * 2 * 32 * 4);
});

test('the revision depends on the content, and on nothing else', async () => {
  const { revision } = await write();
  expect((await write()).revision).toBe(revision);
  const shape = { ...DESCRIPTION.shape, context: 64 };
  expect((await write({ ...DESCRIPTION, shape })).revision).not.toBe(revision);
});

test("the configuration holds the model's numbers, and ends answers at all end tokens", async () => {
  await write();
  expect(json('mlc-chat-config.json')).toMatchObject({
    ...{ vocab_size: 6, context_window_size: 128, prefill_chunk_size: 16 },
    ...{ temperature: 0.5, top_p: 1, eos_token_id: 2 },
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
  await write(DESCRIPTION, 'test/old');
  await expect(write({ ...DESCRIPTION, ...change })).rejects.toThrow(message);
  expect(json('manifest.json')).toMatchObject({ id: 'test/old' });
  expect(readdirSync(join(root, 'packs'))).toEqual(['tiny']);
});
