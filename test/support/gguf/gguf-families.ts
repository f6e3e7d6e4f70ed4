import { f32Bytes, type Field, type Tensor } from './gguf-bytes.ts';
import { tinyGguf } from './tiny-gguf.ts';

const WIDTH = 256;
const HEADS = 8;
const CACHE_HEADS = 2;
const INNER = 768;
const LAYERS = 6;
/** Bytes, the two control tokens, and "he": the vocabulary of `tinyGguf`. */
const VOCABULARY = 259;
const EXPERTS = 8;
const F32 = 0;

/** Context length of the models below. */
export const FAMILY_CONTEXT = 4096;

interface Family {
  /** Metadata, whose keys lack the architecture's name here. */
  fields?: Record<string, Field>;
  block: (layer: number) => Tensor[];
  /** Default: `output_norm`. */
  lastNorm?: string;
}

/** All weights are zero. */
function tensor(name: string, ...shape: number[]): Tensor {
  return { name, type: F32, shape, bytes: f32Bytes(new Float32Array(sizeOf(shape))) };
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

const weights = (layer: number, shapes: Record<string, number[]>) =>
  Object.entries(shapes).map(([name, shape]) => tensor(`blk.${layer}.${name}.weight`, ...shape));

/** @param head - values of a head */
function attention(layer: number, head = WIDTH / HEADS): Tensor[] {
  return weights(layer, {
    attn_norm: [WIDTH],
    attn_q: [HEADS * head, WIDTH],
    attn_k: [CACHE_HEADS * head, WIDTH],
    attn_v: [CACHE_HEADS * head, WIDTH],
    attn_output: [WIDTH, HEADS * head],
  });
}

const headNorms = (layer: number, head: number) =>
  weights(layer, { attn_q_norm: [head], attn_k_norm: [head] });

const feedForward = (layer: number) =>
  weights(layer, {
    ffn_norm: [WIDTH],
    ffn_gate: [INNER, WIDTH],
    ffn_up: [INNER, WIDTH],
    ffn_down: [WIDTH, INNER],
  });

const biases = (layer: number) => [
  tensor(`blk.${layer}.attn_q.bias`, WIDTH),
  tensor(`blk.${layer}.attn_k.bias`, (CACHE_HEADS * WIDTH) / HEADS),
  tensor(`blk.${layer}.attn_v.bias`, (CACHE_HEADS * WIDTH) / HEADS),
];

const experts = (layer: number) =>
  weights(layer, {
    ffn_norm: [WIDTH],
    ffn_gate_inp: [EXPERTS, WIDTH],
    ffn_gate_exps: [EXPERTS, WIDTH, WIDTH],
    ffn_up_exps: [EXPERTS, WIDTH, WIDTH],
    ffn_down_exps: [EXPERTS, WIDTH, WIDTH],
  });

/** Whether a layer has attention: every third has, and the others have convolutions. */
const seesAll = (layer: number) => layer % 3 === 2;
const WIDE_HEAD = 64;
const wideHeads = {
  'attention.key_length': { u32: WIDE_HEAD },
  'attention.value_length': { u32: WIDE_HEAD },
};

/** The architectures of most of the hub's small models. */
const FAMILIES = {
  qwen2: { block: (layer) => [...attention(layer), ...biases(layer), ...feedForward(layer)] },
  qwen3: {
    fields: wideHeads,
    block: (layer) => [
      ...attention(layer, WIDE_HEAD),
      ...headNorms(layer, WIDE_HEAD),
      ...feedForward(layer),
    ],
  },
  qwen3moe: {
    fields: {
      expert_count: { u32: EXPERTS },
      expert_used_count: { u32: 2 },
      expert_feed_forward_length: { u32: WIDTH },
    },
    block: (layer) => [...attention(layer), ...headNorms(layer, WIDTH / HEADS), ...experts(layer)],
  },
  gemma3: {
    fields: { ...wideHeads, 'attention.sliding_window': { u32: 512 } },
    block: (layer) => [
      ...attention(layer, WIDE_HEAD),
      ...headNorms(layer, WIDE_HEAD),
      ...feedForward(layer),
      ...weights(layer, { post_attention_norm: [WIDTH], post_ffw_norm: [WIDTH] }),
    ],
  },
  phi3: {
    fields: { 'attention.sliding_window': { u32: 512 } },
    block: (layer) =>
      weights(layer, {
        attn_norm: [WIDTH],
        attn_qkv: [WIDTH + (2 * CACHE_HEADS * WIDTH) / HEADS, WIDTH],
        attn_output: [WIDTH, WIDTH],
        ffn_norm: [WIDTH],
        ffn_up: [2 * INNER, WIDTH],
        ffn_down: [WIDTH, INNER],
      }),
  },
  lfm2: {
    fields: {
      'shortconv.l_cache': { u32: 3 },
      'attention.head_count_kv': {
        i32s: Array.from({ length: LAYERS }, (_, layer) => (seesAll(layer) ? CACHE_HEADS : 0)),
      },
    },
    block: (layer) => [
      ...(seesAll(layer)
        ? [...attention(layer), ...headNorms(layer, WIDTH / HEADS)]
        : weights(layer, {
            attn_norm: [WIDTH],
            'shortconv.conv': [WIDTH, 3],
            'shortconv.in_proj': [3 * WIDTH, WIDTH],
            'shortconv.out_proj': [WIDTH, WIDTH],
          })),
      ...feedForward(layer),
    ],
    lastNorm: 'token_embd_norm',
  },
} satisfies Record<string, Family>;

export type FamilyName = keyof typeof FAMILIES;
export const FAMILY_NAMES = Object.keys(FAMILIES) as FamilyName[];

/**
 * A GGUF file of this architecture.
 *
 * @param weight - a random weight; default: all are zero, because only the memory that they take counts
 */
export function ggufOfFamily(architecture: FamilyName, weight?: () => number): Buffer {
  const { fields = {}, block, lastNorm = 'output_norm' }: Family = FAMILIES[architecture];
  const own: Record<string, Field> = {
    context_length: { u32: FAMILY_CONTEXT },
    embedding_length: { u32: WIDTH },
    block_count: { u32: LAYERS },
    feed_forward_length: { u32: INNER },
    'attention.head_count': { u32: HEADS },
    'attention.head_count_kv': { u32: CACHE_HEADS },
    'attention.layer_norm_rms_epsilon': { f32: 1e-6 },
    ...fields,
  };
  const withWeights = (zeros: Tensor) =>
    weight
      ? { ...zeros, bytes: f32Bytes(Array.from({ length: sizeOf(zeros.shape) }, weight)) }
      : zeros;
  const named = Object.entries(own).map(([key, value]) => [`${architecture}.${key}`, value]);
  return tinyGguf({
    metadata: {
      'general.architecture': { string: architecture },
      ...(Object.fromEntries(named) as Record<string, Field>),
    },
    tensors: [
      tensor('token_embd.weight', VOCABULARY, WIDTH),
      ...Array.from({ length: LAYERS }, (_, layer) => block(layer)).flat(),
      tensor(`${lastNorm}.weight`, WIDTH),
    ].map(withWeights),
  });
}
