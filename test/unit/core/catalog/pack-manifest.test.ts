import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { manifestSchema } from '../../../../src/core/catalog/pack-manifest.ts';
import { packEntry } from '../../../../src/core/catalog/pack-variant.ts';
import { bothEngines, GGUF_VARIANT, MLC_VARIANT } from '../../support/pack-manifests.ts';

const read = (content: unknown) => v.safeParse(manifestSchema, content);
const place = { url: 'https://site.example/packs/m/', position: 3 };
const speech = {
  family: 'kokoro',
  sampleRate: 24_000,
  voices: [{ id: 'v', name: 'V', languages: ['en-US'] }],
};

function entryOf(content: unknown) {
  return packEntry(v.parse(manifestSchema, content), place);
}

describe('a manifest with variants', () => {
  test('becomes a catalog entry, with its files at the variant that they belong to', () => {
    const { files: mlc, revision: mlcRevision, ...webllm } = MLC_VARIANT;
    const { files: gguf, revision: ggufRevision, ...llamacpp } = GGUF_VARIANT;
    const features = ['reasoning'];
    const source = (revision: string, files: object[]) => {
      return { kind: 'pack', ...place, manifest: { revision, features, files } };
    };
    expect(entryOf(bothEngines('m'))).toEqual({
      id: 'm',
      task: 'chat',
      ownedBy: 'o',
      created: 1,
      license: 'mit',
      contextLength: 2048,
      features,
      variants: [
        { ...webllm, id: 'webllm-q4f32_s8', bytes: 11, source: source(mlcRevision, mlc) },
        { ...llamacpp, id: 'llamacpp-Q4_1', bytes: 20, source: source(ggufRevision, gguf) },
      ],
    });
  });

  test('of a chat model may tell how its decisions are calibrated', () => {
    const calibration = { predicate: { temperature: 2, bias: -1 }, choice: { temperature: 1.5 } };
    expect(entryOf({ ...bothEngines('m'), calibration })).toMatchObject({ calibration });
    expect(entryOf(bothEngines('m'))).not.toHaveProperty('calibration');
  });

  test('of a voice becomes a model that speaks', () => {
    const onnx = { engine: 'onnx', quantization: 'q8', revision: 'r', graph: 'a.onnx', files: [] };
    const entry = entryOf({ ...bothEngines('m'), task: 'speech', speech, variants: [onnx] });
    expect(entry).toMatchObject({ task: 'speech', speech, variants: [{ graph: 'a.onnx' }] });
  });

  test('is read without the variants for engines that this build does not know', () => {
    const future = { engine: 'future', model: 7 };
    const manifest = { ...bothEngines('m'), variants: [future, GGUF_VARIANT] };
    expect(entryOf(manifest).variants.map(({ engine }) => engine)).toEqual(['llamacpp']);
    expect(read({ ...manifest, variants: [future] }).success).toBe(false);
  });

  test.each([
    ['no variants', { variants: [] }],
    ['a variant without a revision', { variants: [{ ...GGUF_VARIANT, revision: undefined }] }],
    ['a GGUF variant without a file', { variants: [{ ...GGUF_VARIANT, parts: [] }] }],
    ['a later version', { version: 2 }],
    ['an unknown task', { task: 'future' }],
    ['a voice without voices', { task: 'speech' }],
    ['another format', { format: 'something' }],
    ['a calibration without a temperature', { calibration: { predicate: { bias: 1 } } }],
    ['a temperature of 0', { calibration: { choice: { temperature: 0 } } }],
    ['a bias that is no number', { calibration: { score: { temperature: 1, bias: 'x' } } }],
  ])('is refused if it has %s', (_what, change) => {
    expect(read({ ...bothEngines('m'), ...change }).success).toBe(false);
  });
});
