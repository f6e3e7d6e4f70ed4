import { describe, expect, test } from 'vitest';
import { readHearingConfig } from '../../../../../src/core/files/hearing/hearing-config.ts';
import { languageCode, languageName } from '../../../../../src/core/files/hearing/languages.ts';
import { readWhisperConfig } from '../../../../../src/core/files/hearing/whisper-config.ts';

/** The relevant parts of the files of openai/whisper-tiny. */
const TINY: Record<string, object> = {
  'config.json': { model_type: 'whisper', max_target_positions: 448 },
  'preprocessor_config.json': { sampling_rate: 16_000, n_samples: 480_000, chunk_length: 30 },
  'generation_config.json': {
    decoder_start_token_id: 50_258,
    eos_token_id: 50_257,
    no_timestamps_token_id: 50_363,
    is_multilingual: true,
    lang_to_id: { '<|en|>': 50_259, '<|de|>': 50_261 },
    task_to_id: { transcribe: 50_359, translate: 50_358 },
    suppress_tokens: [1, 2],
    begin_suppress_tokens: [220, 50_257],
    max_length: 448,
    alignment_heads: [[2, 2]],
  },
};

function read(files: Record<string, object | undefined>) {
  return readWhisperConfig((path) => Promise.resolve(files[path]));
}

test('the files of a Whisper model say all', async () => {
  expect(await read(TINY)).toEqual({
    transcription: { languages: ['en', 'de'], translates: true, timesWords: true },
    maxTokens: 448,
    windowSamples: 480_000,
    sampleRate: 16_000,
    tokens: {
      start: 50_258,
      end: 50_257,
      noTimes: 50_363,
      firstTime: 50_364,
      languages: { en: 50_259, de: 50_261 },
      transcribe: 50_359,
      translate: 50_358,
    },
    suppressed: [1, 2],
    suppressedFirst: [220, 50_257],
    alignmentHeads: [[2, 2]],
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

/** Written from the published shapes of the hub's files, which were not reachable; of the languages, a few. */
const LARGE_PREPROCESSOR = {
  feature_extractor_type: 'WhisperFeatureExtractor',
  processor_class: 'WhisperProcessor',
  feature_size: 128,
  hop_length: 160,
  n_fft: 400,
  nb_max_frames: 3000,
  sampling_rate: 16_000,
  n_samples: 480_000,
  chunk_length: 30,
};
const LARGE_CONFIG = {
  architectures: ['WhisperForConditionalGeneration'],
  model_type: 'whisper',
  d_model: 1280,
  encoder_layers: 32,
  decoder_layers: 4,
  num_mel_bins: 128,
  vocab_size: 51_866,
  max_source_positions: 1500,
  max_target_positions: 448,
};
const LARGE_GENERATION = {
  decoder_start_token_id: 50_258,
  eos_token_id: 50_257,
  no_timestamps_token_id: 50_364,
  prev_sot_token_id: 50_362,
  max_initial_timestamp_index: 50,
  max_length: 448,
  is_multilingual: true,
  return_timestamps: false,
  suppress_tokens: [],
  lang_to_id: { '<|en|>': 50_259, '<|es|>': 50_262, '<|yue|>': 50_358 },
  task_to_id: { transcribe: 50_360, translate: 50_359 },
  begin_suppress_tokens: [220, 50_257],
};
const TURBO = {
  'config.json': LARGE_CONFIG,
  'preprocessor_config.json': LARGE_PREPROCESSOR,
  'generation_config.json': {
    ...LARGE_GENERATION,
    alignment_heads: [2, 4, 2, 11, 3, 3, 3, 6, 3, 11, 3, 14].flatMap(pairs),
  },
};

/** 1, 2, 3, 4 → [1, 2], [3, 4] */
function pairs(value: number, index: number, all: number[]): [number, number][] {
  return index % 2 === 0 ? [[value, all[index + 1] ?? 0]] : [];
}

describe('of the shapes of large-v3-turbo and Distil-Whisper', () => {
  test('turbo has 128 mels, one more language, and its own heads', async () => {
    const { family, ...config } = await readHearingConfig((path) =>
      Promise.resolve(new Map(Object.entries(TURBO)).get(path)),
    );
    expect(family).toBe('whisper');
    expect(config).toMatchObject({
      transcription: { languages: ['en', 'es', 'yue'], translates: true, timesWords: true },
      // The extractor makes the mels: a window is as long as with 80.
      maxTokens: 448,
      windowSamples: 480_000,
      sampleRate: 16_000,
      tokens: {
        start: 50_258,
        end: 50_257,
        noTimes: 50_364,
        firstTime: 50_365,
        languages: { en: 50_259, es: 50_262, yue: 50_358 },
        transcribe: 50_360,
        translate: 50_359,
      },
      suppressed: [],
      suppressedFirst: [220, 50_257],
    });
    expect(config).toHaveProperty('alignmentHeads', [
      ...[
        [2, 4],
        [2, 11],
        [3, 3],
      ],
      ...[
        [3, 6],
        [3, 11],
        [3, 14],
      ],
    ]);
  });

  test('a distilled model with the heads of its teacher tells no times of words', async () => {
    const distilled = {
      ...TURBO,
      'config.json': { ...LARGE_CONFIG, decoder_layers: 2 },
      'generation_config.json': {
        ...LARGE_GENERATION,
        // The heads of large-v3, whose decoder has 32 layers.
        alignment_heads: [7, 0, 10, 17, 12, 18, 13, 12, 16, 1, 17, 14].flatMap(pairs),
      },
    };
    const { transcription, alignmentHeads } = await read(distilled);
    expect(alignmentHeads).toEqual([]);
    expect(transcription).toMatchObject({ translates: true, timesWords: false });
  });

  test('a distilled model with heads of its own tells them', async () => {
    const heads = [1, 0, 1, 5].flatMap(pairs);
    const { transcription, alignmentHeads } = await read({
      ...TURBO,
      'config.json': { ...LARGE_CONFIG, decoder_layers: 2 },
      'generation_config.json': { ...LARGE_GENERATION, alignment_heads: heads },
    });
    expect(alignmentHeads).toEqual(heads);
    expect(transcription.timesWords).toBe(true);
  });

  test('a distilled model of English has neither languages nor tasks', async () => {
    const { transcription, tokens } = await read({
      'config.json': { model_type: 'whisper', decoder_layers: 2, num_mel_bins: 80 },
      'preprocessor_config.json': { ...LARGE_PREPROCESSOR, feature_size: 80 },
      'generation_config.json': {
        decoder_start_token_id: 50_257,
        eos_token_id: 50_256,
        is_multilingual: false,
        no_timestamps_token_id: 50_362,
        begin_suppress_tokens: [220, 50_256],
        suppress_tokens: [1, 2, 7],
        max_length: 448,
      },
    });
    expect(transcription).toEqual({ languages: ['en'], translates: false, timesWords: false });
    expect(tokens).toEqual({
      start: 50_257,
      end: 50_256,
      noTimes: 50_362,
      firstTime: 50_363,
      languages: {},
    });
  });
});

test('languages are known by code and by name', () => {
  expect(languageName('de')).toBe('german');
  expect(languageName('xx')).toBe('xx');
  const code = (text: string) => languageCode(text, ['en', 'de', 'my']);
  expect([' German', 'de', 'de-AT', 'DE'].map(code)).toEqual(['de', 'de', 'de', 'de']);
  expect([code('Myanmar'), code('French'), code('')]).toEqual(['my', undefined, undefined]);
});
