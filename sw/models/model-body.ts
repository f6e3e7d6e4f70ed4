import { sees, type CatalogEntry } from '../../src/core/catalog/catalog-entry.ts';
import { chooseVariant } from '../../src/core/fit/choose-variant.ts';
import { contextThatFits } from '../../src/core/fit/context-that-fits.ts';
import { BUILT_IN_FEATURES, builtInParameters } from '../generation/request/built-in-limits.ts';
import type { Device } from '../../src/core/fit/device-fit.ts';
import type { Source, Variant } from '../../src/core/catalog/variant.ts';

/** Every chat model that WebLLM runs honours these; each one has a test that shows it. */
const SAMPLING_PARAMETERS = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'stop',
  'seed',
  'max_tokens',
  'logit_bias',
  'logprobs',
  'top_logprobs',
];

/** Features of every chat model that WebLLM runs. The catalog lists a model's other features. */
const FEATURES = ['tools', 'json_mode', 'structured_outputs', 'logprobs'];

/** A local model costs nothing. */
const FREE = {
  input: '0',
  output: '0',
  cache_read: '0',
  image: '0',
  request: '0',
  prompt: '0',
  completion: '0',
};

/**
 * A catalog entry as `GET /v1/models` shows it on this device, with the fields of OpenAI's clients and of Anthropic's.
 *
 * @param hears - whether recordings in chats are written down
 */
export function modelBody(entry: CatalogEntry, device: Device, hears = false) {
  const variant = chooseVariant(entry, device);
  const { source, quantization } = variant;
  // 0: the browser has not told how long its model's context is.
  const contextLength = contextThatFits(entry, variant, device) || undefined;
  return {
    id: entry.id,
    object: 'model',
    created: entry.created,
    type: 'model',
    display_name: entry.id,
    created_at: new Date(entry.created * 1000).toISOString(),
    owned_by: entry.ownedBy,
    context_length: contextLength,
    ...abilities(entry, variant, contextLength, hears),
    pricing: FREE,
    quantization: quantizationLabel(quantization),
    ...hubId(entry, source),
  };
}

/** Only models on the hub have such an id. The id of a pack is the one that its model has there. */
function hubId({ id }: CatalogEntry, source: Source) {
  if (source.kind === 'hub') return { hugging_face_id: source.repository };
  return source.kind === 'pack' ? { hugging_face_id: id } : {};
}

/** @param length - tokens of its context; undefined: unknown */
function abilities(
  entry: CatalogEntry,
  variant: Variant,
  length: number | undefined,
  hears: boolean,
) {
  const { features = [] } = entry;
  switch (entry.task) {
    case 'chat': {
      const isBuiltIn = variant.engine === 'builtin';
      return {
        max_output_length: length,
        input_modalities: ['text', ...(sees(entry) ? ['image'] : []), ...(hears ? ['audio'] : [])],
        // Not in the specification: the model reads what is said, and does not hear how.
        ...(hears && { audio_by: 'transcription' }),
        output_modalities: ['text'],
        supported_sampling_parameters: isBuiltIn ? builtInParameters(variant) : SAMPLING_PARAMETERS,
        supported_features: [
          ...(isBuiltIn ? BUILT_IN_FEATURES : FEATURES),
          // Other models answer, too, but nothing is known about their numbers.
          ...(entry.calibration ? ['decisions'] : []),
          ...features,
        ],
      };
    }
    case 'speech':
      return {
        max_output_length: length,
        input_modalities: ['text'],
        output_modalities: ['speech'],
        supported_sampling_parameters: [],
        supported_features: features,
        // Not in the specification: requests must name a voice, so clients have to know them.
        voices: entry.speech.voices,
      };
    case 'embedding': {
      const { length: size, dimensions = [] } = entry.embedding;
      return {
        max_output_length: 0,
        input_modalities: ['text'],
        output_modalities: ['embeddings'],
        supported_sampling_parameters: [],
        supported_features: features,
        // Not in the specification: the lengths that `dimensions` may have, and the usual one.
        embedding_length: size,
        dimensions,
      };
    }
    case 'rerank':
    case 'transcription':
      return {
        max_output_length: 0,
        input_modalities: [entry.task === 'rerank' ? 'text' : 'audio'],
        output_modalities: [entry.task],
        supported_sampling_parameters: [],
        supported_features: features,
      };
  }
}

const PLAIN_LABELS = ['int4', 'int8', 'fp16', 'bf16', 'fp32'];

/**
 * WebLLM's, transformers.js's or llama.cpp's name of a quantisation → the catalog's: `q4f16_1` and `Q4_K_M` →
 * int4, `q8` → int8, `F16` → fp16.
 */
export function quantizationLabel(name: string): string {
  if (PLAIN_LABELS.includes(name)) return name;
  const [, gguf] = /^I?Q([48])_/.exec(name) ?? [];
  if (gguf !== undefined) return `int${gguf}`;
  if (/^B?F(?:16|32)$/.test(name)) return name.toLowerCase().replace(/^f/, 'fp');
  const [, bits, activations] = /^q(\d+)(?:(bf16|f16|f32)|$)/.exec(name) ?? [];
  if (bits === '4' || bits === '8') return `int${bits}`;
  if (bits !== '0' || activations === undefined) return 'unknown';
  return activations === 'bf16' ? 'bf16' : `fp${activations.slice(1)}`;
}
