/**
 * Stand-ins for repositories on the hub, of families whose weights no package registry has. File layout,
 * inputs, outputs and kinds of tokenizers are real; the graphs are tiny, with random weights. Tests can check
 * that a model gets its inputs and that its sound arrives, but not what it sounds like.
 */
import { BOOL, FLOAT, INT64, onnxFile, type Weights } from './onnx.ts';

/** Repository → path → content. */
export type Repositories = Map<string, Map<string, Buffer>>;

/** Audio samples for each token of a text. */
export const SAMPLES = 256;
const MEL = 8;
const LATENTS = 12;

let seed = 7;

/** Random numbers. They are the same in every run that makes the same calls. */
function random(length: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length }, () => {
    seed = (seed * 48_271) % 0x7fffffff;
    return (seed / 0x7fffffff - 0.5) / 2;
  });
}

function weights(name: string, ...shape: number[]): Weights {
  return { name, shape, values: random(shape.reduce((product, length) => product * length)) };
}

function constant(name: string, values: number[], isScalar = false): Weights {
  return { name, shape: isScalar ? [] : [values.length], values, type: INT64 };
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const numbers = (length: number) => Buffer.from(random(length).buffer);
const onnx = (...graph: Parameters<typeof onnxFile>) => Buffer.from(onnxFile(...graph));
const files = (content: Record<string, Buffer>) => new Map(Object.entries(content));

const GERMAN = 'fabcdeghijklmnopqrstuvwxyzäöüß -';

/** MMS: characters outside its vocabulary are dropped, and a blank is put around each character. */
function mms(): Map<string, Buffer> {
  const vocab = Object.fromEntries(Array.from(GERMAN, (character, id) => [character, id]));
  const [blank = ''] = GERMAN;
  const normalizers = [
    { type: 'Lowercase' },
    {
      type: 'Replace',
      content: '',
      pattern: { Regex: `[^${GERMAN.replace('-', String.raw`\-`)}]` },
    },
    { type: 'Strip', strip_left: true, strip_right: true },
    { type: 'Replace', pattern: { Regex: '(?=.)|(?<!^)$' }, content: blank },
  ];
  return files({
    'config.json': json({ model_type: 'vits', architectures: ['VitsModel'] }),
    'tokenizer_config.json': json({ tokenizer_class: 'VitsTokenizer', pad_token: blank }),
    'tokenizer.json': json({
      version: '1.0',
      added_tokens: [],
      post_processor: null,
      decoder: null,
      normalizer: { type: 'Sequence', normalizers },
      pre_tokenizer: split(),
      model: { vocab },
    }),
    'onnx/model_quantized.onnx': onnx({
      inputs: [ids(), { name: 'attention_mask', type: INT64, shape: [1, 'tokens'] }],
      outputs: [{ name: 'waveform', type: FLOAT, shape: [1, 'samples'] }],
      nodes: [
        { op: 'Gather', inputs: ['sounds', 'input_ids'], outputs: ['spoken'] },
        { op: 'Reshape', inputs: ['spoken', 'flat'], outputs: ['waveform'] },
      ],
      weights: [weights('sounds', GERMAN.length, SAMPLES), constant('flat', [1, -1])],
    }),
  });
}

const CHARACTERS = `▁abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,?!'-`;

/** SpeechT5: a mark before each word and a token at the end; steps until the decoder says it is done. */
function speechT5(): Map<string, Buffer> {
  const special = ['<s>', '<pad>', '</s>', '<unk>'];
  const vocab = [...special, ...Array.from(CHARACTERS)].map((token) => [token, -1]);
  const end = { id: '</s>', type_id: 0 };
  const frame = { type: FLOAT, shape: [1, 'frames', MEL] };
  return files({
    'config.json': json({
      model_type: 'speecht5',
      architectures: ['SpeechT5ForTextToSpeech'],
      is_encoder_decoder: true,
      num_mel_bins: MEL,
      reduction_factor: 2,
      hidden_size: 4,
      decoder_layers: 1,
      decoder_attention_heads: 1,
      encoder_layers: 1,
      encoder_attention_heads: 1,
    }),
    'tokenizer_config.json': json({
      tokenizer_class: 'SpeechT5Tokenizer',
      unk_token: '<unk>',
      eos_token: '</s>',
      pad_token: '<pad>',
    }),
    'tokenizer.json': json({
      version: '1.0',
      normalizer: null,
      decoder: null,
      added_tokens: special.map((content, id) => ({ id, content, special: true })),
      pre_tokenizer: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
      post_processor: {
        type: 'TemplateProcessing',
        single: [{ Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: end }],
        special_tokens: { '</s>': { id: '</s>', ids: [2], tokens: ['</s>'] } },
      },
      model: { type: 'Unigram', unk_id: 3, vocab },
    }),
    'onnx/encoder_model.onnx': onnx({
      inputs: [ids()],
      outputs: [
        { name: 'encoder_outputs', type: FLOAT, shape: [1, 'tokens', 4] },
        { name: 'encoder_attention_mask', type: INT64, shape: [1, 'tokens'] },
      ],
      nodes: [
        { op: 'Gather', inputs: ['embeddings', 'input_ids'], outputs: ['encoder_outputs'] },
        { op: 'Sub', inputs: ['input_ids', 'input_ids'], outputs: ['zeros'] },
        { op: 'Add', inputs: ['zeros', 'one'], outputs: ['encoder_attention_mask'] },
      ],
      weights: [weights('embeddings', vocab.length, 4), constant('one', [1])],
    }),
    'onnx/decoder_model_merged.onnx': onnx({
      inputs: [
        { name: 'use_cache_branch', type: BOOL, shape: [1] },
        { name: 'output_sequence', ...frame },
        { name: 'encoder_attention_mask', type: INT64, shape: [1, 'tokens'] },
        { name: 'speaker_embeddings', type: FLOAT, shape: [1, 512] },
        { name: 'encoder_hidden_states', type: FLOAT, shape: [1, 'tokens', 4] },
      ],
      outputs: [
        { name: 'output_sequence_out', ...frame },
        { name: 'spectrum', type: FLOAT, shape: [2, MEL] },
        { name: 'prob', type: FLOAT, shape: ['one'] },
      ],
      nodes: [
        { op: 'MatMul', inputs: ['speaker_embeddings', 'voices'], outputs: ['frames'] },
        { op: 'Reshape', inputs: ['frames', 'two frames'], outputs: ['spectrum'] },
        { op: 'Reshape', inputs: ['frames', 'a sequence'], outputs: ['next'] },
        {
          op: 'Concat',
          inputs: ['output_sequence', 'next'],
          attributes: { axis: 1 },
          outputs: ['output_sequence_out'],
        },
        ...lengthOf('output_sequence', 'spoken'),
        ...lengthOf('encoder_hidden_states', 'tokens'),
        // The probability is one half when there are as many frames as tokens.
        { op: 'Add', inputs: ['tokens', 'tokens'], outputs: ['twice'] },
        { op: 'Div', inputs: ['spoken', 'twice'], outputs: ['prob'] },
      ],
      weights: [
        weights('voices', 512, 2 * MEL),
        constant('two frames', [2, MEL]),
        constant('a sequence', [1, 2, MEL]),
        constant('second', [1]),
      ],
    }),
  });
}

function vocoder(): Map<string, Buffer> {
  return files({
    'config.json': json({ model_type: 'hifigan', architectures: ['SpeechT5HifiGan'] }),
    'onnx/model.onnx': onnx({
      inputs: [{ name: 'spectrogram', type: FLOAT, shape: ['frames', MEL] }],
      outputs: [{ name: 'waveform', type: FLOAT, shape: ['samples'] }],
      nodes: [
        { op: 'MatMul', inputs: ['spectrogram', 'sounds'], outputs: ['spoken'] },
        { op: 'Reshape', inputs: ['spoken', 'flat'], outputs: ['waveform'] },
      ],
      weights: [weights('sounds', MEL, SAMPLES), constant('flat', [-1])],
    }),
  });
}

/** Supertonic, the version with language tags around a text. Each token lasts a tenth of a second. */
function supertonic(voices: string[]): Map<string, Buffer> {
  const characters = `<>/ abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZáéíóúñ.,?!¿¡'-`;
  const tokens = ['<pad>', '<unk>', ...Array.from(characters)];
  const chunk = 6 * 512;
  const latents = { type: FLOAT, shape: [1, LATENTS, 'steps'] };
  const style = { name: 'style', type: FLOAT, shape: [1, 'styles', 4] };
  const mask = { name: 'attention_mask', type: INT64, shape: [1, 'tokens'] };
  const encoded = { type: FLOAT, shape: [1, 'tokens', 4] };
  const one = (name: string) => ({ name, type: FLOAT, shape: [1] });
  return files({
    'config.json': json({
      model_type: 'supertonic',
      architectures: ['SupertonicForConditionalGeneration'],
      sampling_rate: 44_100,
      chunk_compress_factor: 6,
      base_chunk_size: 512,
      latent_dim: LATENTS / 6,
      style_dim: 4,
    }),
    'tokenizer_config.json': json({ unk_token: '<unk>', pad_token: '<pad>' }),
    'tokenizer.json': json({
      version: '1.0',
      added_tokens: [],
      post_processor: null,
      decoder: null,
      normalizer: { type: 'NFC' },
      pre_tokenizer: split(),
      model: {
        type: 'WordLevel',
        unk_token: '<unk>',
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      },
    }),
    'onnx/text_encoder.onnx': onnx({
      inputs: [ids(), mask, style],
      outputs: [{ name: 'last_hidden_state', ...encoded }, one('durations')],
      nodes: [
        { op: 'Gather', inputs: ['embeddings', 'input_ids'], outputs: ['last_hidden_state'] },
        ...lengthOf('input_ids', 'tokens'),
        { op: 'Mul', inputs: ['tokens', 'seconds'], outputs: ['durations'] },
      ],
      weights: [
        weights('embeddings', tokens.length, 4),
        { name: 'seconds', shape: [1], values: [0.1] },
        constant('second', [1]),
      ],
    }),
    'onnx/latent_denoiser.onnx': onnx({
      inputs: [
        style,
        { name: 'noisy_latents', ...latents },
        { name: 'latent_mask', type: INT64, shape: [1, 'steps'] },
        { name: 'encoder_outputs', ...encoded },
        ...[mask, one('timestep'), one('num_inference_steps')],
      ],
      outputs: [{ name: 'denoised_latents', ...latents }],
      nodes: [{ op: 'Mul', inputs: ['noisy_latents', 'less'], outputs: ['denoised_latents'] }],
      weights: [{ name: 'less', shape: [1], values: [0.8] }],
    }),
    'onnx/voice_decoder.onnx': onnx({
      inputs: [{ name: 'latents', ...latents }],
      outputs: [{ name: 'waveform', type: FLOAT, shape: [1, 'samples'] }],
      nodes: [
        {
          op: 'Transpose',
          inputs: ['latents'],
          outputs: ['steps'],
          attributes: { perm: [0, 2, 1] },
        },
        { op: 'MatMul', inputs: ['steps', 'sounds'], outputs: ['spoken'] },
        { op: 'Reshape', inputs: ['spoken', 'flat'], outputs: ['waveform'] },
      ],
      weights: [weights('sounds', LATENTS, chunk), constant('flat', [1, -1])],
    }),
    ...Object.fromEntries(voices.map((voice) => [`voices/${voice}.bin`, numbers(5 * 4)])),
  });
}

function ids() {
  return { name: 'input_ids', type: INT64, shape: [1, 'tokens'] };
}

/** Makes each character a token. */
function split() {
  return { type: 'Split', pattern: { Regex: '' }, behavior: 'Isolated', invert: false };
}

/** The second dimension of a tensor, as a float. */
function lengthOf(tensor: string, name: string) {
  return [
    { op: 'Shape', inputs: [tensor], outputs: [`${name} shape`] },
    { op: 'Gather', inputs: [`${name} shape`, 'second'], outputs: [`${name} whole`] },
    { op: 'Cast', inputs: [`${name} whole`], outputs: [name], attributes: { to: FLOAT } },
  ];
}

/**
 * @param speakers - ids of SpeechT5's speakers
 * @param voices - ids of Supertonic's voices
 */
export function randomVoices(speakers: string[], voices: string[]): Repositories {
  return new Map([
    ['Xenova/mms-tts-deu', mms()],
    ['Xenova/speecht5_tts', speechT5()],
    ['Xenova/speecht5_hifigan', vocoder()],
    [
      'datasets/Xenova/cmu-arctic-xvectors-extracted',
      new Map(speakers.map((id) => [`${id}.bin`, numbers(512)])),
    ],
    ['onnx-community/Supertonic-TTS-2-ONNX', supertonic(voices)],
  ]);
}
