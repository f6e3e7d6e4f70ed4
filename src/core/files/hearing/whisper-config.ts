import * as v from 'valibot';
import { GENERATION_CONFIG, MODEL_CONFIG, parsed, type ReadConfig } from '../model-config.ts';
import type { Transcription } from '../../catalog/catalog-entry.ts';

/** Facts from the files of a Whisper model. */
export interface WhisperConfig {
  transcription: Transcription;
  /** Most tokens of a window, those before the text included. */
  maxTokens: number;
  /** Samples that the model hears at once. */
  windowSamples: number;
  /** Hertz. */
  sampleRate: number;
  tokens: {
    start: number;
    end: number;
    noTimes: number;
    /** The first of the tokens that are times; each is 0.02 s later. */
    firstTime: number;
    /** By code; empty: the model knows only English. */
    languages: Record<string, number>;
    /** Undefined: the model cannot do this task. */
    transcribe?: number;
    translate?: number;
  };
  /** Tokens that are never written, and those that no text begins with. */
  suppressed: number[];
  suppressedFirst: number[];
  /** The heads of the decoder's cross-attention that follow the speech: layer and head. */
  alignmentHeads: [number, number][];
}

export const PREPROCESSOR_CONFIG = 'preprocessor_config.json';
/** Names of the graphs of a model that hears. */
export const HEARING_GRAPHS = ['encoder_model', 'decoder_model_merged'];
/** The files of a model that hears, in addition to its graphs and those that every model has. */
export const HEARING_FILES = [GENERATION_CONFIG, PREPROCESSOR_CONFIG];

const modelSchema = v.looseObject({
  max_target_positions: v.optional(v.number(), 448),
  decoder_layers: v.optional(v.number(), Infinity),
});
const preprocessorSchema = v.looseObject({
  sampling_rate: v.number(),
  n_samples: v.optional(v.number()),
  chunk_length: v.optional(v.number(), 30),
});
const oneOrMore = v.pipe(
  v.union([v.number(), v.array(v.number())]),
  v.transform((value) => (Array.isArray(value) ? value[0] : value)),
  v.number(),
);
const idsSchema = v.optional(v.nullable(v.array(v.number())));
const generationSchema = v.looseObject({
  decoder_start_token_id: v.number(),
  eos_token_id: oneOrMore,
  no_timestamps_token_id: v.number(),
  max_length: v.optional(v.number()),
  lang_to_id: v.optional(v.record(v.string(), v.number()), {}),
  task_to_id: v.optional(
    v.object({ transcribe: v.optional(v.number()), translate: v.optional(v.number()) }),
    {},
  ),
  is_multilingual: v.optional(v.boolean(), true),
  suppress_tokens: idsSchema,
  begin_suppress_tokens: idsSchema,
  alignment_heads: v.optional(v.array(v.tuple([v.number(), v.number()])), []),
});

/**
 * Reads the files of a Whisper model. Nothing is guessed.
 *
 * @throws ConfigFault if they do not say enough
 */
export async function readWhisperConfig(read: ReadConfig): Promise<WhisperConfig> {
  const model = await parsed(modelSchema, MODEL_CONFIG, read);
  const generation = await parsed(generationSchema, GENERATION_CONFIG, read);
  const { sampling_rate, n_samples, chunk_length } = await parsed(
    preprocessorSchema,
    PREPROCESSOR_CONFIG,
    read,
  );
  const { lang_to_id, task_to_id, no_timestamps_token_id: noTimes } = generation;
  const isMultilingual = generation.is_multilingual && Object.keys(lang_to_id).length > 0;
  const languages = isMultilingual ? byCode(lang_to_id) : {};
  const { transcribe, translate } = isMultilingual ? task_to_id : {};
  const alignmentHeads = ownHeads(generation.alignment_heads, model.decoder_layers);
  return {
    transcription: {
      languages: isMultilingual ? Object.keys(languages) : ['en'],
      translates: translate !== undefined,
      timesWords: alignmentHeads.length > 0,
    },
    maxTokens: generation.max_length ?? model.max_target_positions,
    windowSamples: n_samples ?? chunk_length * sampling_rate,
    sampleRate: sampling_rate,
    tokens: {
      start: generation.decoder_start_token_id,
      end: generation.eos_token_id,
      noTimes,
      firstTime: noTimes + 1,
      languages,
      ...(transcribe !== undefined && { transcribe }),
      ...(translate !== undefined && { translate }),
    },
    suppressed: generation.suppress_tokens ?? [],
    suppressedFirst: generation.begin_suppress_tokens ?? [],
    alignmentHeads,
  };
}

/** Drops heads of another model: some distilled models list those of the larger one that they learnt from. */
function ownHeads(heads: [number, number][], layers: number): [number, number][] {
  return heads.every(([layer]) => layer < layers) ? heads : [];
}

/** `<|en|>` → `en` */
function byCode(ids: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(ids).map(([token, id]) => [token.replaceAll(/[<|>]/g, ''), id]),
  );
}
