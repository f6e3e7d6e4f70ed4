import { expect, test } from 'vitest';
import { languageCode, languageName } from '../../../../src/core/hearing/languages.ts';
import { readWhisperConfig } from '../../../../src/core/hearing/whisper-config.ts';

/** The relevant parts of the files of openai/whisper-tiny. */
const TINY: Record<string, object> = {
  'config.json': { model_type: 'whisper', max_target_positions: 448 },
  'preprocessor_config.json': { sampling_rate: 16_000, n_samples: 480_000, chunk_length: 30 },
  'generation_config.json': {
    ...{ decoder_start_token_id: 50_258, eos_token_id: 50_257, no_timestamps_token_id: 50_363 },
    ...{ is_multilingual: true, lang_to_id: { '<|en|>': 50_259, '<|de|>': 50_261 } },
    task_to_id: { transcribe: 50_359, translate: 50_358 },
    ...{ suppress_tokens: [1, 2], begin_suppress_tokens: [220, 50_257], max_length: 448 },
    alignment_heads: [[2, 2]],
  },
};

function read(files: Record<string, object | undefined>) {
  return readWhisperConfig((path) => Promise.resolve(files[path]));
}

test('the files of a Whisper model say all', async () => {
  expect(await read(TINY)).toEqual({
    transcription: { languages: ['en', 'de'], translates: true, timesWords: true },
    ...{ maxTokens: 448, windowSamples: 480_000, sampleRate: 16_000 },
    tokens: {
      ...{ start: 50_258, end: 50_257, noTimes: 50_363, firstTime: 50_364 },
      ...{ languages: { en: 50_259, de: 50_261 }, transcribe: 50_359, translate: 50_358 },
    },
    ...{ suppressed: [1, 2], suppressedFirst: [220, 50_257], alignmentHeads: [[2, 2]] },
  });
});

test('a model of English alone needs no language and cannot translate', async () => {
  const {
    lang_to_id: _,
    task_to_id: __,
    ...rest
  } = { ...TINY['generation_config.json'] } as Record<string, unknown>;
  const english = { ...rest, is_multilingual: false, alignment_heads: [] };
  const { transcription, tokens } = await read({ ...TINY, 'generation_config.json': english });
  expect(transcription).toEqual({ languages: ['en'], translates: false, timesWords: false });
  expect(tokens).toMatchObject({ languages: {} });
});

test.each([
  ['config.json', undefined, 'no config.json'],
  ['generation_config.json', undefined, 'no generation_config.json'],
  ['generation_config.json', { decoder_start_token_id: 1 }, 'eos_token_id'],
  ['preprocessor_config.json', {}, 'sampling_rate'],
])('without what is needed of %s, the model is refused', async (path, content, message) => {
  await expect(read({ ...TINY, [path]: content })).rejects.toThrow(message);
});

test('languages are known by code and by name', () => {
  expect(languageName('de')).toBe('german');
  expect(languageName('xx')).toBe('xx');
  const code = (text: string) => languageCode(text, ['en', 'de', 'my']);
  expect([' German', 'de', 'de-AT', 'DE'].map(code)).toEqual(['de', 'de', 'de', 'de']);
  expect([code('Myanmar'), code('French'), code('')]).toEqual(['my', undefined, undefined]);
});
