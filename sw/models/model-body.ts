import type { CatalogEntry } from '../../src/core/stores/catalog-entry.ts';
import { chooseVariant } from '../../src/core/stores/choose-variant.ts';

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

/** As SAMPLING_PARAMETERS. The catalog lists what else a model can do. */
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

/** A catalog entry as `GET /v1/models` shows it. */
export function modelBody(entry: CatalogEntry) {
  // A service worker knows no GPU: this is the installed variant, or the best one.
  const { source, quantization } = chooseVariant(entry, {});
  return {
    id: entry.id,
    object: 'model',
    created: entry.created,
    owned_by: entry.ownedBy,
    context_length: entry.contextLength,
    max_output_length: entry.contextLength,
    input_modalities: ['text'],
    ...abilities(entry),
    pricing: FREE,
    quantization: quantizationLabel(quantization),
    hugging_face_id: source.kind === 'pack' ? entry.id : source.repository,
  };
}

function abilities(entry: CatalogEntry) {
  const { features = [] } = entry;
  switch (entry.task) {
    case 'chat':
      return {
        output_modalities: ['text'],
        supported_sampling_parameters: SAMPLING_PARAMETERS,
        supported_features: [...FEATURES, ...features],
      };
    case 'speech':
      return {
        output_modalities: ['speech'],
        supported_sampling_parameters: [],
        supported_features: features,
        // Not in the specification: requests must name a voice, so clients have to know them.
        voices: entry.speech.voices,
      };
    case 'embedding':
    case 'rerank':
    case 'transcription':
      return {
        output_modalities: ['text'],
        supported_sampling_parameters: [],
        supported_features: features,
      };
  }
}

const PLAIN_LABELS = ['int4', 'int8', 'fp16', 'bf16', 'fp32'];

/** WebLLM's or transformers.js's name of a quantisation → the catalog's: `q4f16_1` → int4, `q8` → int8. */
export function quantizationLabel(name: string): string {
  if (PLAIN_LABELS.includes(name)) return name;
  const [, bits, activations] = /^q(\d+)(?:(bf16|f16|f32)|$)/.exec(name) ?? [];
  if (bits === '4' || bits === '8') return `int${bits}`;
  if (bits !== '0' || activations === undefined) return 'unknown';
  return activations === 'bf16' ? 'bf16' : `fp${activations.slice(1)}`;
}
