import { expect, test } from 'vitest';
import { readGgufHeader } from '../../../../../src/core/files/gguf/gguf-header.ts';
import {
  mostPixels,
  wholeImageSide,
  withProjector,
} from '../../../../../src/core/files/gguf/gguf-projector.ts';
import type { Field } from '../../../../support/gguf/gguf-bytes.ts';
import { memoryRanges } from '../../../../support/gguf/memory-ranges.ts';
import { tinyProjector } from '../../../../support/sight/tiny-projector.ts';

/** The header of a projector whose pieces have 64 × 64 pixels. */
async function header(type: string, metadata: Record<string, Field> = {}) {
  const file = tinyProjector({ 'clip.projector_type': { string: type }, ...metadata });
  return readGgufHeader(memoryRanges(file));
}

const before = (pixels: number) => ({ 'clip.vision.preproc_image_size': { u32: pixels } });

test.each<[string, Record<string, Field>, number | undefined]>([
  ['gemma3', {}, 64],
  ['mlp', {}, 64],
  ['mlp', { 'clip.vision.image_grid_pinpoints': { i32s: [64, 128] } }, undefined],
  ['idefics3', before(64), 64],
  ['idefics3', before(256), undefined],
  ['idefics3', {}, undefined],
  ['llama4', {}, undefined],
  ['qwen2vl_merger', {}, undefined],
  ['unknown', {}, undefined],
])(
  'a projector %s with %j makes a square of %s pixels of each image',
  async (type, more, pixels) => {
    expect(wholeImageSide(await header(type, more))).toBe(pixels);
  },
);

const sideOf = (pixels: number) => ({ 'clip.vision.image_size': { u32: pixels } });

test.each<[string, Record<string, Field>, number | undefined]>([
  ['qwen2vl_merger', {}, 1024 ** 2],
  ['qwen2.5vl_merger', {}, 1024 ** 2],
  ['qwen3vl_merger', {}, 1024 ** 2],
  ['gemma4v', {}, 1024 ** 2],
  ['gemma4v', sideOf(2000), 2000 ** 2],
  ['gemma3', {}, undefined],
  ['idefics3', {}, undefined],
  ['internvl', {}, undefined],
])('an image for a projector %s with %j has at most %s pixels', async (type, more, pixels) => {
  expect(mostPixels(await header(type, more))).toBe(pixels);
});

test('attention within windows takes memory for each pair of patches', async () => {
  const none = { weightBytes: 0, tokenBytes: 0, bufferBytes: 0 };
  const bytes = async (metadata: Record<string, Field>) =>
    withProjector(none, await header('qwen2.5vl_merger', metadata)).bufferBytes;
  const patch = { 'clip.vision.patch_size': { u32: 16 } };
  const windows = { ...patch, 'clip.vision.n_wa_pattern': { u32: 8 } };
  expect((await bytes(windows)) - (await bytes(patch))).toBe(10 * 4096 ** 2);
});
