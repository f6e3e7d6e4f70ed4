import { beforeEach, expect, test, vi } from 'vitest';
import type { Feed } from '../../../../../../src/engine/onnx/transformers/tensors.ts';
import { loadVoiceModel } from '../../../../../../src/engine/onnx/speech/voices/load-voice-model.ts';

vi.mock(
  '../../../../../../src/engine/onnx/speech/load-english.ts',
  () => import('../../../../support/bundled-english.ts'),
);

/** The inputs of each call of the graph. */
const fed: Record<string, Feed>[] = [];

vi.mock('../../../../../../src/engine/onnx/transformers/speech-graphs.ts', () => ({
  OnnxGraph: {
    load: () =>
      Promise.resolve({
        run: (feeds: Record<string, Feed>) => {
          fed.push(feeds);
          return Promise.resolve(new Float32Array(3));
        },
        dispose: () => Promise.resolve(),
      }),
  },
}));

beforeEach(() => void (fed.length = 0));

const voices = [{ id: 'v', name: 'V', languages: ['en-US'] }];
const kokoro = { family: 'kokoro' as const, voices, sampleRate: 24_000 };
const piper = { family: 'piper' as const, voices, sampleRate: 22_050 };

function reader(files: Record<string, BlobPart>) {
  return (path: string) => {
    const content = files[path];
    return Promise.resolve(content === undefined ? undefined : new Blob([content]));
  };
}

/** A style of 256 equal numbers for each number of phonemes: that number minus one. */
const styles = Float32Array.from({ length: 510 * 256 }, (_, at) => Math.floor(at / 256));

const kokoroFiles = reader({
  'tokenizer.json': JSON.stringify({ model: { vocab: { a: 43, b: 44, ' ': 16 } } }),
  'voices/v.bin': styles,
});

test('Kokoro gets padded ids and the style for their number', async () => {
  const model = await loadVoiceModel(kokoro, kokoroFiles);
  await model.synthesize('ab a', 'v');
  const [{ input_ids, style, speed } = {}] = fed;
  expect(input_ids).toEqual({ type: 'int64', values: [0, 43, 44, 16, 43, 0], shape: [1, 6] });
  expect(style).toMatchObject({ type: 'float32', shape: [1, 256] });
  expect(new Set(style?.values)).toEqual(new Set([4]));
  expect(speed?.values).toEqual([1]);
});

test('Kokoro takes as many phonemes as it says, and refuses more', async () => {
  const model = await loadVoiceModel(kokoro, kokoroFiles);
  await model.synthesize('a'.repeat(model.maxSymbols), 'v');
  expect(fed[0]?.['input_ids']?.shape).toEqual([1, 512]);
  expect(new Set(fed[0]?.['style']?.values)).toEqual(new Set([509]));
  const tooMany = model.synthesize('a'.repeat(model.maxSymbols + 1), 'v');
  await expect(tooMany).rejects.toThrow('511 phonemes are more than the 510');
  expect(fed).toHaveLength(1);
});

test('a voice without a file is an error that names the voice', async () => {
  const model = await loadVoiceModel(kokoro, kokoroFiles);
  await expect(model.synthesize('a', 'w')).rejects.toThrow('no file for the voice w');
});

test('Piper gets IPA for Kokoro’s letters, with blanks in between', async () => {
  const config = {
    inference: { noise_scale: 0.6, length_scale: 1.5, noise_w: 0.8 },
    phoneme_id_map: { '^': [1], $: [2], _: [0], d: [17], ʒ: [18], e: [19], ɪ: [20] },
  };
  const files = reader({ 'piper.json': JSON.stringify(config) });
  const model = await loadVoiceModel(piper, files);
  await model.synthesize('ʤA✗', 'v');
  expect(fed[0]).toEqual({
    input: { type: 'int64', values: [1, 0, 17, 0, 18, 0, 19, 0, 20, 0, 2], shape: [1, 11] },
    input_lengths: { type: 'int64', values: [11], shape: [1] },
    scales: { type: 'float32', values: [0.6, 1.5, 0.8], shape: [3] },
  });
});
