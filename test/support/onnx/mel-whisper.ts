import { BOOL, FLOAT, INT64, onnxFile, type Node, type Port, type Weights } from './onnx.ts';

/** Same as large-v3 and the models derived from it. */
export const MELS = 128;
/** Distance between two numbers that the model can write, which is its precision. */
export const STEP = 0.01;
const [LOWEST, LEVELS] = [-1.5, 400];

const FRAMES = 3_000;
const words = Array.from({ length: LEVELS }, (_, level) => (LOWEST + level * STEP).toFixed(2));
const TIMES = Array.from({ length: FRAMES / 2 + 1 }, (_, step) => `<|${(step / 50).toFixed(2)}|>`);
const END = '<|endoftext|>';
const SPECIAL = [
  ...[END, '<|startoftranscript|>', '<|en|>', '<|yue|>', '<|translate|>', '<|transcribe|>'],
  ...['<|startoflm|>', '<|startofprev|>', '<|nospeech|>', '<|notimestamps|>', ...TIMES],
];
/** `Ġ` is a space. */
const TOKENS = [...words.map((word) => `Ġ${word}`), ...SPECIAL];
const idOf = (token: string) => TOKENS.indexOf(token);
/** Tokens before the text: start, language and task. */
const PROMPT = 3;
/** How much likelier a token is than the next best. */
const CERTAINTY = 1e6;

/**
 * The files of a Whisper model for transformers.js with 128 mels, as large-v3-turbo has. Its graphs have the inputs and
 * outputs of the hub's. It writes the features that its encoder got in one frame, mel by mel, as numbers.
 *
 * @param frame - index of the frame; a second has 100 frames
 */
export function melWhisper(frame: number): Map<string, Buffer> {
  const json = (value: object) => Buffer.from(JSON.stringify(value));
  return new Map([
    ['config.json', json(CONFIG)],
    ['generation_config.json', json(GENERATION)],
    ['preprocessor_config.json', json(PREPROCESSOR)],
    ['tokenizer.json', json(TOKENIZER)],
    ['tokenizer_config.json', json({ tokenizer_class: 'WhisperTokenizer', ...MARKS })],
    ['onnx/encoder_model.onnx', Buffer.from(encoder(frame))],
    ['onnx/decoder_model_merged.onnx', Buffer.from(decoder())],
  ]);
}

const MARKS = { bos_token: END, eos_token: END, unk_token: END, pad_token: END };
const IDS = {
  bos_token_id: idOf(END),
  eos_token_id: idOf(END),
  pad_token_id: idOf(END),
  decoder_start_token_id: idOf('<|startoftranscript|>'),
};
const CONFIG = {
  architectures: ['WhisperForConditionalGeneration'],
  model_type: 'whisper',
  is_encoder_decoder: true,
  d_model: 1,
  num_mel_bins: MELS,
  vocab_size: TOKENS.length,
  encoder_layers: 1,
  encoder_attention_heads: 1,
  decoder_layers: 1,
  decoder_attention_heads: 1,
  max_source_positions: FRAMES / 2,
  max_target_positions: 448,
  ...IDS,
};
const GENERATION = {
  ...IDS,
  no_timestamps_token_id: idOf('<|notimestamps|>'),
  prev_sot_token_id: idOf('<|startofprev|>'),
  lang_to_id: { '<|en|>': idOf('<|en|>'), '<|yue|>': idOf('<|yue|>') },
  task_to_id: { transcribe: idOf('<|transcribe|>'), translate: idOf('<|translate|>') },
  is_multilingual: true,
  max_initial_timestamp_index: 50,
  max_length: 448,
  return_timestamps: false,
  suppress_tokens: [],
  begin_suppress_tokens: [idOf(END)],
};
const PREPROCESSOR = {
  feature_extractor_type: 'WhisperFeatureExtractor',
  processor_class: 'WhisperProcessor',
  feature_size: MELS,
  hop_length: 160,
  n_fft: 400,
  nb_max_frames: FRAMES,
  sampling_rate: 16_000,
  n_samples: 480_000,
  chunk_length: 30,
  padding_side: 'right',
  padding_value: 0,
  return_attention_mask: false,
};
const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  normalizer: null,
  post_processor: null,
  added_tokens: SPECIAL.map((content) => ({
    id: idOf(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  pre_tokenizer: {
    type: 'ByteLevel',
    add_prefix_space: false,
    trim_offsets: true,
    use_regex: true,
  },
  decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: {
    type: 'BPE',
    unk_token: '',
    merges: [],
    vocab: Object.fromEntries(TOKENS.map((token, id) => [token, id])),
  },
};

function node(op: string, inputs: string, output: string, attributes?: Node['attributes']): Node {
  return { op, inputs: inputs.split(' '), outputs: [output], ...(attributes && { attributes }) };
}
const integers = (name: string, ...values: number[]): Weights => ({
  name,
  shape: [values.length],
  values,
  type: INT64,
});
const row = (name: string, values: number[]): Weights => ({
  name,
  shape: [1, 1, values.length],
  values,
});

/** The features of one frame. */
function encoder(frame: number) {
  return onnxFile({
    inputs: [{ name: 'input_features', type: FLOAT, shape: ['batch', MELS, FRAMES] }],
    outputs: [{ name: 'last_hidden_state', type: FLOAT, shape: ['batch', MELS, 1] }],
    nodes: [node('Gather', 'input_features frame', 'last_hidden_state', { axis: 2 })],
    weights: [integers('frame', frame)],
  });
}

/** Writes the time 0, then the number of each mel, then the end. */
function decoder() {
  const kinds = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'];
  const cache = (name: string): Port => ({
    name,
    type: FLOAT,
    shape: ['batch', 1, `${name}.length`, 1],
  });
  // 2 c x - c² is largest for the number c that is nearest to x.
  const isWord = (id: number) => id < LEVELS;
  const value = (id: number) => LOWEST + id * STEP;
  const slopes = TOKENS.map((_, id) => (isWord(id) ? 2 * CERTAINTY * value(id) : 0));
  const offsets = TOKENS.map((_, id) => CERTAINTY * (isWord(id) ? -(value(id) ** 2) : -100));
  const only = (token: string) => TOKENS.map((each) => (each === token ? 0 : -CERTAINTY));
  return onnxFile({
    inputs: [
      { name: 'input_ids', type: INT64, shape: ['batch', 'tokens'] },
      { name: 'encoder_hidden_states', type: FLOAT, shape: ['batch', MELS, 1] },
      ...kinds.map((kind) => cache(`past_key_values.0.${kind}`)),
      { name: 'use_cache_branch', type: BOOL, shape: [1] },
    ],
    outputs: [
      { name: 'logits', type: FLOAT, shape: ['batch', 'tokens', TOKENS.length] },
      ...kinds.map((kind) => cache(`present.0.${kind}`)),
    ],
    nodes: [
      node('Mul', 'encoder_hidden_states slopes', 'product'),
      node('Add', 'product offsets', 'numbers'),
      node('Concat', 'first numbers last', 'all', { axis: 1 }),
      // The index of each token in the text. Tokens of the prompt have the index of the text's first token.
      node('Mul', 'input_ids zero', 'zeros'),
      node('Add', 'zeros one', 'ones'),
      node('CumSum', 'ones one', 'counted'),
      node('Shape', 'past_key_values.0.decoder.key', 'shape'),
      node('Gather', 'shape two', 'past'),
      node('Add', 'counted past', 'place'),
      node('Sub', 'place prompt', 'behind'),
      node('Max', 'behind zero', 'row'),
      node('Reshape', 'row any', 'rows'),
      node('Gather', 'all rows', 'logits', { axis: 1 }),
      node('Cast', 'zeros', 'empty', { to: FLOAT }),
      node('Reshape', 'empty cached', 'token'),
      ...['key', 'value'].flatMap((kind) => [
        node('Concat', `past_key_values.0.decoder.${kind} token`, `present.0.decoder.${kind}`, {
          axis: 2,
        }),
        node('Identity', `past_key_values.0.encoder.${kind}`, `present.0.encoder.${kind}`),
      ]),
    ],
    weights: [
      ...[integers('zero', 0), integers('one', 1), integers('two', 2), integers('any', -1)],
      ...[integers('prompt', PROMPT), integers('cached', 1, 1, -1, 1)],
      ...[row('slopes', slopes), row('offsets', offsets)],
      ...[row('first', only('<|0.00|>')), row('last', only(END))],
    ],
  });
}
