import { BOOL, FLOAT, INT64, onnxFile, type Node, type Port, type Weights } from './onnx.ts';

/** Words that the model knows, by the amplitude of the sound that says them. */
export const LEVELS: Record<string, number> = { one: 0.2, two: 0.4, three: 0.6, four: 0.8 };

const RATE = 16_000;
/** Samples of a block. The model writes a word for each block; for a silent one, a full stop. */
const BLOCK = RATE / 2;
/** Tokens with their amplitudes. For each block, the model writes the token with the nearest amplitude. */
const END = '</s>';
const STOP = '.';
const TOKENS = ['<unk>', '<s>', END, STOP, ...Object.keys(LEVELS).map((word) => `▁${word}`)];
const CENTRES: Record<string, number> = {
  [END]: -1,
  [STOP]: 0,
  ...Object.fromEntries(Object.entries(LEVELS).map(([word, level]) => [`▁${word}`, level])),
};
/** How much likelier the nearest token is. */
const CERTAINTY = 400;

/**
 * The files of a Moonshine model for transformers.js whose graphs have the inputs and outputs of the hub's, and
 * understand tones: each half second is written as the word of its amplitude.
 */
export function levelMoonshine(): Map<string, Buffer> {
  const json = (value: object) => Buffer.from(JSON.stringify(value));
  return new Map([
    ['config.json', json(CONFIG)],
    ['generation_config.json', json({ ...MARKS, max_length: MOST_TOKENS })],
    ['preprocessor_config.json', json(PREPROCESSOR)],
    ['tokenizer.json', json(TOKENIZER)],
    ['tokenizer_config.json', json({ tokenizer_class: 'PreTrainedTokenizerFast', ...SPECIAL })],
    ['onnx/encoder_model.onnx', Buffer.from(encoder())],
    ['onnx/decoder_model_merged.onnx', Buffer.from(decoder())],
  ]);
}

/** Same as UsefulSensors/moonshine-tiny, whose window has 32 seconds. */
const MOST_TOKENS = 194;
const MARKS = { bos_token_id: 1, decoder_start_token_id: 1, eos_token_id: 2 };
const SPECIAL = { bos_token: '<s>', eos_token: END, unk_token: '<unk>' };
const PREPROCESSOR = {
  feature_extractor_type: 'MoonshineFeatureExtractor',
  processor_class: 'MoonshineProcessor',
  sampling_rate: RATE,
  feature_size: 1,
  padding_value: 0,
  return_attention_mask: false,
};
const CONFIG = {
  architectures: ['MoonshineForConditionalGeneration'],
  model_type: 'moonshine',
  is_encoder_decoder: true,
  hidden_size: 1,
  vocab_size: TOKENS.length,
  ...MARKS,
  encoder_num_hidden_layers: 1,
  encoder_num_key_value_heads: 1,
  decoder_num_hidden_layers: 1,
  decoder_num_key_value_heads: 1,
  max_position_embeddings: MOST_TOKENS,
};
const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  post_processor: null,
  added_tokens: ['<unk>', '<s>', END].map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
  pre_tokenizer: null,
  decoder: {
    type: 'Sequence',
    decoders: [
      { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
      { type: 'Fuse' },
      { type: 'Strip', content: ' ', start: 1, stop: 0 },
    ],
  },
  model: {
    type: 'BPE',
    unk_token: '<unk>',
    fuse_unk: true,
    byte_fallback: true,
    merges: [],
    vocab: Object.fromEntries(TOKENS.map((token, id) => [token, id])),
  },
};

const integers = (name: string, ...values: number[]): Weights => ({
  name,
  shape: [values.length],
  values,
  type: INT64,
});

function node(op: string, inputs: string, output: string, attributes?: Node['attributes']): Node {
  const named = inputs.split(' ');
  return { op, inputs: named, outputs: [output], ...(attributes && { attributes }) };
}

/** The largest amplitude of each block, and -1 behind the last. */
function encoder() {
  const states: Port = {
    name: 'last_hidden_state',
    type: FLOAT,
    shape: ['batch', 'time', 1],
  };
  return onnxFile({
    inputs: [{ name: 'input_values', type: FLOAT, shape: ['batch', 'samples'] }],
    outputs: [states],
    nodes: [
      node('Abs', 'input_values', 'amplitudes'),
      node('Unsqueeze', 'amplitudes one', 'channel'),
      node('Concat', 'channel padding', 'padded', { axis: 2 }),
      node('MaxPool', 'padded', 'pooled', { kernel_shape: [BLOCK], strides: [BLOCK] }),
      node('Concat', 'pooled end', 'blocks', { axis: 2 }),
      node('Transpose', 'blocks', 'last_hidden_state', { perm: [0, 2, 1] }),
    ],
    weights: [
      integers('one', 1),
      { name: 'padding', shape: [1, 1, BLOCK - 1], values: new Float32Array(BLOCK - 1) },
      { name: 'end', shape: [1, 1, 1], values: [-1] },
    ],
  });
}

/** Writes the token of the block whose number is the length of the cache. */
function decoder() {
  const kinds = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'];
  const cache = (name: string): Port => ({
    name,
    type: FLOAT,
    shape: ['batch', 1, `${name}.length`, 1],
  });
  // 2 c x - c² is largest for the number c that is nearest to x.
  const centres = TOKENS.map((token) => CENTRES[token]);
  const slopes = centres.map((centre) => 2 * CERTAINTY * (centre ?? 0));
  const offsets = centres.map((centre) =>
    centre === undefined ? -10 * CERTAINTY : -CERTAINTY * centre ** 2,
  );
  const width = TOKENS.length;
  return onnxFile({
    inputs: [
      { name: 'input_ids', type: INT64, shape: ['batch', 'tokens'] },
      { name: 'encoder_hidden_states', type: FLOAT, shape: ['batch', 'time', 1] },
      ...kinds.map((kind) => cache(`past_key_values.0.${kind}`)),
      { name: 'use_cache_branch', type: BOOL, shape: [1] },
    ],
    outputs: [
      { name: 'logits', type: FLOAT, shape: ['batch', 'tokens', width] },
      ...kinds.map((kind) => cache(`present.0.${kind}`)),
    ],
    nodes: [
      node('Shape', 'past_key_values.0.decoder.key', 'shape'),
      node('Gather', 'shape two', 'place'),
      node('Gather', 'encoder_hidden_states place', 'level', { axis: 1 }),
      node('Mul', 'level slopes', 'product'),
      node('Add', 'product offsets', 'logits'),
      ...['key', 'value'].flatMap((kind) => [
        node('Concat', `past_key_values.0.decoder.${kind} token`, `present.0.decoder.${kind}`, {
          axis: 2,
        }),
        node('Identity', `past_key_values.0.encoder.${kind}`, `present.0.encoder.${kind}`),
      ]),
    ],
    weights: [
      integers('two', 2),
      { name: 'slopes', shape: [1, 1, width], values: slopes },
      { name: 'offsets', shape: [1, 1, width], values: offsets },
      { name: 'token', shape: [1, 1, 1, 1], values: [0] },
    ],
  });
}
