import { seededRandom } from '../../scripts/seeded-random.ts';
import { f32Bytes, ggufBytes, type Field, type Tensor } from './gguf-bytes.ts';

/** A projector of each way to see: pieces of a picture, pieces that are read whole, positions in two dimensions. */
export type Sight = 'idefics3' | 'gemma3' | 'qwen2vl_merger';

const [WIDTH, INNER, HEADS, LAYERS] = [32, 64, 2, 2];
/** Pixels of a side that the projector sees, and of a patch of it. */
const [SIDE, PATCH] = [32, 8];
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

/** The GGUF files of a small model with random weights, always the same ones, and of its projector. */
export function tinySight(sight: Sight): { model: Uint8Array; projector: Uint8Array } {
  return { model: model(sight === 'qwen2vl_merger'), projector: projector(sight) };
}

function model(hasDimensions: boolean): Uint8Array {
  const architecture = hasDimensions ? 'qwen2vl' : 'llama';
  const numbers: Record<string, Field> = {
    block_count: { u32: LAYERS },
    context_length: { u32: 512 },
    embedding_length: { u32: WIDTH },
    feed_forward_length: { u32: INNER },
    'attention.head_count': { u32: HEADS },
    'attention.layer_norm_rms_epsilon': { f32: 1e-5 },
    ...(hasDimensions && { 'rope.dimension_sections': { i32s: [4, 2, 2, 0] } }),
  };
  const fields = Object.entries(numbers).map(([key, field]) => [`${architecture}.${key}`, field]);
  const make = tensors(1);
  const layers = Array.from({ length: LAYERS }, (_, layer) => {
    const name = `blk.${layer}`;
    return [
      ...['attn_norm', 'ffn_norm'].map((each) => make(`${name}.${each}.weight`, WIDTH)),
      ...['attn_q', 'attn_k', 'attn_v'].flatMap((each) => linear(make, `${name}.${each}`)),
      make(`${name}.attn_output.weight`, WIDTH, WIDTH),
      ...['ffn_gate', 'ffn_up'].map((each) => make(`${name}.${each}.weight`, INNER, WIDTH)),
      make(`${name}.ffn_down.weight`, WIDTH, INNER),
    ];
  });
  const all = [
    make('token_embd.weight', TOKENS.length, WIDTH),
    make('output_norm.weight', WIDTH),
    make('output.weight', TOKENS.length, WIDTH),
    ...layers.flat(),
  ];
  const isUsed = ({ name }: Tensor) => hasDimensions || !name.endsWith('bias');
  const types = TOKENS.map((token) => (SPECIAL.includes(token) ? CONTROL : NORMAL));
  const metadata: Record<string, Field> = {
    'general.architecture': { string: architecture },
    ...Object.fromEntries(fields),
    'tokenizer.ggml.model': { string: 'gpt2' },
    'tokenizer.ggml.pre': { string: 'gpt-2' },
    'tokenizer.ggml.tokens': { strings: TOKENS },
    'tokenizer.ggml.token_type': { i32s: types },
    'tokenizer.ggml.merges': { strings: ['\u010a \u010a'] },
    'tokenizer.ggml.eos_token_id': { u32: TOKENS.indexOf('<|im_end|>') },
    'tokenizer.ggml.add_bos_token': { bool: false },
  };
  return ggufBytes(metadata, all.filter(isUsed));
}

function projector(sight: Sight): Uint8Array {
  const make = tensors(2);
  const layers = Array.from({ length: LAYERS }, (_, layer) => {
    const name = `v.blk.${layer}`;
    return [
      ...['ln1', 'ln2'].flatMap((each) => norm(make, `${name}.${each}`)),
      ...['attn_q', 'attn_k', 'attn_v', 'attn_out'].flatMap((each) =>
        linear(make, `${name}.${each}`),
      ),
      ...linear(make, `${name}.ffn_up`, INNER, WIDTH),
      ...linear(make, `${name}.ffn_down`, WIDTH, INNER),
    ];
  });
  const patches = (SIDE / PATCH) ** 2;
  const eye = [
    make('v.patch_embd.weight', WIDTH, 3, PATCH, PATCH),
    ...layers.flat(),
    ...norm(make, 'v.post_ln'),
  ];
  const ofPlaces = [
    make('v.patch_embd.bias', WIDTH),
    make('v.position_embd.weight', patches, WIDTH),
  ];
  const last: Record<Sight, Tensor[]> = {
    idefics3: [...ofPlaces, make('mm.model.fc.weight', WIDTH, 4 * WIDTH)],
    gemma3: [
      ...ofPlaces,
      make('mm.input_projection.weight', WIDTH, WIDTH),
      make('mm.soft_emb_norm.weight', WIDTH),
    ],
    qwen2vl_merger: [
      make('v.patch_embd.weight.1', WIDTH, 3, PATCH, PATCH),
      ...linear(make, 'mm.0', 4 * WIDTH, 4 * WIDTH),
      ...linear(make, 'mm.2', WIDTH, 4 * WIDTH),
    ],
  };
  const numbers = {
    ...{ image_size: SIDE, patch_size: PATCH, projection_dim: WIDTH, preproc_image_size: SIDE },
    ...{ embedding_length: WIDTH, feed_forward_length: INNER, block_count: LAYERS },
    ...{ 'attention.head_count': HEADS, 'projector.scale_factor': 2 },
  };
  const vision = Object.entries(numbers).map(([key, u32]) => [`clip.vision.${key}`, { u32 }]);
  const metadata: Record<string, Field> = {
    'general.architecture': { string: 'clip' },
    'clip.has_vision_encoder': { bool: true },
    'clip.projector_type': { string: sight },
    'clip.use_gelu': { bool: true },
    'clip.vision.attention.layer_norm_epsilon': { f32: 1e-5 },
    'clip.vision.image_mean': { f32s: [0.5, 0.5, 0.5] },
    'clip.vision.image_std': { f32s: [0.5, 0.5, 0.5] },
    ...Object.fromEntries(vision),
  };
  return ggufBytes(metadata, [...eye, ...last[sight]]);
}

type Make = (name: string, ...shape: number[]) => Tensor;

function linear(make: Make, name: string, rows = WIDTH, columns = WIDTH): Tensor[] {
  return [make(`${name}.weight`, rows, columns), make(`${name}.bias`, rows)];
}

function norm(make: Make, name: string): Tensor[] {
  return [make(`${name}.weight`, WIDTH), make(`${name}.bias`, WIDTH)];
}

function tensors(seed: number): Make {
  const random = seededRandom(seed);
  return (name, ...shape) => {
    const values = Array.from({ length: shape.reduce((a, b) => a * b) }, () => random() - 0.5);
    return { name, type: F32, shape, bytes: f32Bytes(values) };
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
