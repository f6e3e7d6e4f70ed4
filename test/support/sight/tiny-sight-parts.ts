import { seededRandom } from '../../../scripts/seeded-random.ts';
import { f32Bytes, ggufBytes, type Field, type Tensor } from '../gguf/gguf-bytes.ts';

export const [WIDTH, INNER, HEADS, LAYERS] = [32, 64, 2, 2];
/** Pixels of a side of the picture that the projector sees, and of a side of a patch. */
export const [SIDE, PATCH] = [32, 8];
/** ggml's number of the type. */
const F32 = 0;
const [NORMAL, CONTROL] = [1, 3];

const SPECIAL = [
  ...['<|im_start|>', '<|im_end|>', '<fake_token_around_image>', '<global-img>'],
  ...['<row_1_col_1>', '<start_of_image>', '<end_of_image>'],
  ...['<|vision_start|>', '<|vision_end|>'],
];
/** Two line feeds, as GPT-2's vocabulary writes them, are one token. */
const TOKENS = [...byteCharacters(), '\u010a\u010a', ...SPECIAL];

export type Make = (name: string, ...shape: number[]) => Tensor;

/** Makes tensors of random weights. The same seed makes the same tensors, in the same order. */
export function tensors(seed: number): Make {
  const random = seededRandom(seed);
  return (name, ...shape) => {
    const values = Array.from({ length: shape.reduce((a, b) => a * b) }, () => random() - 0.5);
    return tensorOf(name, values, shape);
  };
}

export function tensorOf(name: string, values: readonly number[], shape: number[]): Tensor {
  return { name, type: F32, shape, bytes: f32Bytes(values) };
}

export function linear(make: Make, name: string, rows = WIDTH, columns = WIDTH): Tensor[] {
  return [make(`${name}.weight`, rows, columns), make(`${name}.bias`, rows)];
}

export function norm(make: Make, name: string, width = WIDTH): Tensor[] {
  return [make(`${name}.weight`, width), make(`${name}.bias`, width)];
}

/** The tensors of each layer, in order. */
export function layered(count: number, layer: (index: number) => Tensor[]): Tensor[] {
  return Array.from({ length: count }, (_, index) => layer(index)).flat();
}

interface Language {
  architecture: string;
  /** Fields to add or to replace; keys without the architecture's name. */
  numbers?: Record<string, Field>;
  /** Control tokens beyond those that all models have. */
  special?: string[];
  /** @param vocabulary - how many tokens there are */
  weights: (vocabulary: number) => Tensor[];
}

/** The GGUF file of a model whose tokens are bytes. */
export function languageModel({ architecture, numbers, special = [], weights }: Language) {
  const tokens = [...TOKENS, ...special];
  const isControl = (token: string) => SPECIAL.includes(token) || special.includes(token);
  const own: Record<string, Field> = {
    block_count: { u32: LAYERS },
    context_length: { u32: 512 },
    embedding_length: { u32: WIDTH },
    feed_forward_length: { u32: INNER },
    'attention.head_count': { u32: HEADS },
    'attention.layer_norm_rms_epsilon': { f32: 1e-5 },
    ...numbers,
  };
  const fields = Object.entries(own).map(([key, field]) => [`${architecture}.${key}`, field]);
  const metadata: Record<string, Field> = {
    'general.architecture': { string: architecture },
    ...Object.fromEntries(fields),
    'tokenizer.ggml.model': { string: 'gpt2' },
    'tokenizer.ggml.pre': { string: 'gpt-2' },
    'tokenizer.ggml.tokens': { strings: tokens },
    'tokenizer.ggml.token_type': {
      i32s: tokens.map((token) => (isControl(token) ? CONTROL : NORMAL)),
    },
    'tokenizer.ggml.merges': { strings: ['\u010a \u010a'] },
    'tokenizer.ggml.eos_token_id': { u32: tokens.indexOf('<|im_end|>') },
    'tokenizer.ggml.add_bos_token': { bool: false },
  };
  return ggufBytes(metadata, weights(tokens.length));
}

interface ProjectorChanges {
  numbers?: Record<string, number>;
  metadata?: Record<string, Field>;
  /** The type of a projector for sound that the same file has; its tensors are left out. */
  sound?: string;
}

/** The GGUF file of a projector. */
export function projectorFile(
  type: string,
  all: Tensor[],
  changes: ProjectorChanges = {},
): Uint8Array {
  const numbers = {
    image_size: SIDE,
    patch_size: PATCH,
    projection_dim: WIDTH,
    preproc_image_size: SIDE,
    embedding_length: WIDTH,
    feed_forward_length: INNER,
    block_count: LAYERS,
    'attention.head_count': HEADS,
    'projector.scale_factor': 2,
    ...changes.numbers,
  };
  const vision = Object.entries(numbers).map(([key, u32]) => [`clip.vision.${key}`, { u32 }]);
  const metadata: Record<string, Field> = {
    'general.architecture': { string: 'clip' },
    'clip.has_vision_encoder': { bool: true },
    ...types(type, changes.sound),
    'clip.use_gelu': { bool: true },
    'clip.vision.attention.layer_norm_epsilon': { f32: 1e-5 },
    'clip.vision.image_mean': { f32s: [0.5, 0.5, 0.5] },
    'clip.vision.image_std': { f32s: [0.5, 0.5, 0.5] },
    ...Object.fromEntries(vision),
    ...changes.metadata,
  };
  return ggufBytes(metadata, all);
}

function types(type: string, sound: string | undefined): Record<string, Field> {
  if (sound === undefined) return { 'clip.projector_type': { string: type } };
  return {
    'clip.has_audio_encoder': { bool: true },
    'clip.vision.projector_type': { string: type },
    'clip.audio.projector_type': { string: sound },
  };
}

/** The characters that stand for the 256 bytes in the vocabulary of GPT-2. */
function byteCharacters(): string[] {
  const isPlain = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isPlain(byte) ? byte : next++),
  );
}
