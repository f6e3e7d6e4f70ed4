import { expect, test } from 'vitest';
import { readHearingConfig } from '../../../../../src/core/files/hearing/hearing-config.ts';

/** The relevant parts of the files of a repository with Moonshine's graphs. */
const TINY: Record<string, object> = {
  'config.json': {
    model_type: 'moonshine',
    max_position_embeddings: 512,
    decoder_start_token_id: 1,
    eos_token_id: 2,
  },
  'generation_config.json': { max_length: 194, decoder_start_token_id: 1, eos_token_id: 2 },
  'preprocessor_config.json': { sampling_rate: 16_000 },
};

function read(files: Record<string, object | undefined>) {
  return readHearingConfig((path) => Promise.resolve(files[path]));
}

test('the files of a Moonshine model say what it hears at once', async () => {
  expect(await read(TINY)).toEqual({
    family: 'moonshine',
    transcription: { languages: ['en'], translates: false, timesWords: false },
    // Six tokens for each second, and one that begins the text.
    maxTokens: 194,
    sampleRate: 16_000,
    windowSamples: 32 * 16_000,
    tokens: { start: 1, end: 2 },
  });
});

test('no window is longer than those of the training', async () => {
  const { windowSamples } = await read({ ...TINY, 'generation_config.json': undefined });
  expect(windowSamples).toBe(64 * 16_000);
});

test.each([
  ['preprocessor_config.json', undefined, 'no preprocessor_config.json'],
  ['config.json', { model_type: 'wav2vec2' }, "'wav2vec2', and neither Whisper nor Moonshine"],
  ['config.json', undefined, 'no config.json'],
  ['generation_config.json', { max_length: 3 }, 'how long a text may be'],
])('without what is needed of %s, the model is refused', async (path, content, message) => {
  await expect(read({ ...TINY, [path]: content })).rejects.toThrow(message);
});

test('a model that does not say which token ends a text is refused', async () => {
  const config = { model_type: 'moonshine', decoder_start_token_id: 1 };
  const files = { ...TINY, 'config.json': config, 'generation_config.json': { max_length: 194 } };
  await expect(read(files)).rejects.toThrow('begin and end a text');
});
