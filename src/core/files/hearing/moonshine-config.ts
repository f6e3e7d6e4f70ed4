import * as v from 'valibot';
import {
  GENERATION_CONFIG,
  ConfigFault,
  MODEL_CONFIG,
  optional,
  parsed,
  type ReadConfig,
} from '../model-config.ts';
import type { Transcription } from '../../catalog/catalog-entry.ts';
import { PREPROCESSOR_CONFIG } from './whisper-config.ts';

/** Facts from the files of a Moonshine model. */
export interface MoonshineConfig {
  transcription: Transcription;
  /** Most tokens of a window, the one that begins the text included. */
  maxTokens: number;
  /** Most samples that the model hears at once. */
  windowSamples: number;
  /** Hertz. */
  sampleRate: number;
  tokens: { start: number; end: number };
}

/** The authors' limit, so that a text does not repeat itself without end: https://huggingface.co/papers/2410.15608 */
export const TOKENS_A_SECOND = 6;
/** Longest window, seconds: the model was trained with nothing longer. */
const LONGEST_WINDOW = 64;

const modelSchema = v.looseObject({
  max_position_embeddings: v.optional(v.number()),
  decoder_start_token_id: v.optional(v.number()),
  eos_token_id: v.optional(v.number()),
});
const generationSchema = v.looseObject({
  max_length: v.optional(v.number()),
  decoder_start_token_id: v.optional(v.number()),
  eos_token_id: v.optional(v.number()),
});
const preprocessorSchema = v.looseObject({ sampling_rate: v.number() });

/**
 * Reads the files of a Moonshine model. They do not name a language: the first models know English only.
 *
 * @throws ConfigFault if they do not say enough
 */
export async function readMoonshineConfig(read: ReadConfig): Promise<MoonshineConfig> {
  const model = await parsed(modelSchema, MODEL_CONFIG, read);
  const generation = (await optional(generationSchema, GENERATION_CONFIG, read)) ?? {};
  const { sampling_rate: sampleRate } = await parsed(preprocessorSchema, PREPROCESSOR_CONFIG, read);
  const { decoder_start_token_id: start, eos_token_id: end } = { ...model, ...generation };
  if (start === undefined || end === undefined) {
    throw new ConfigFault('its files do not say which tokens begin and end a text');
  }
  const maxTokens = generation.max_length ?? model.max_position_embeddings;
  if (maxTokens === undefined || maxTokens <= TOKENS_A_SECOND) {
    throw new ConfigFault('its files do not say how long a text may be');
  }
  const seconds = Math.min(LONGEST_WINDOW, Math.floor((maxTokens - 1) / TOKENS_A_SECOND));
  return {
    transcription: { languages: ['en'], translates: false, timesWords: false },
    maxTokens,
    sampleRate,
    windowSamples: seconds * sampleRate,
    tokens: { start, end },
  };
}
