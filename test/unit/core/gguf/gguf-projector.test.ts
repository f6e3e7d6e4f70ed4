import { expect, test } from 'vitest';
import { readGgufHeader } from '../../../../src/core/gguf/gguf-header.ts';
import { wholeImageSide } from '../../../../src/core/gguf/gguf-projector.ts';
import type { Field } from '../../../support/gguf-bytes.ts';
import { memoryRanges } from '../../../support/memory-ranges.ts';
import { tinyProjector } from '../../../support/tiny-projector.ts';

/** Of a projector whose pieces have 64 × 64 pixels. */
async function side(type: string, metadata: Record<string, Field> = {}) {
  const file = tinyProjector({ 'clip.projector_type': { string: type }, ...metadata });
  return wholeImageSide(await readGgufHeader(memoryRanges(file)));
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
    expect(await side(type, more)).toBe(pixels);
  },
);
