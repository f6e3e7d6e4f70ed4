import * as v from 'valibot';
import { field, optionalField, texts, type GgufHeader } from './gguf-header.ts';

/** The sizes of a model that decide what it takes in memory. */
export interface GgufShape {
  /** llama.cpp's name. */
  architecture: string;
  /** Heads in the KV cache, for each layer that can have one. */
  cacheHeads: number[];
  /** Values in the KV cache for each head and token. */
  cacheValues: number;
  /** Whether llama.cpp can store the KV cache in blocks of 32 values, as Q8_0 does. */
  hasCacheBlocks: boolean;
  /** Values that all recurrent layers keep of a conversation, however long it is. */
  stateValues: number;
  /** Width of a token's vector. */
  width: number;
  /** Width of the widest feed-forward layer; with experts, of all that a token uses together. */
  innerWidth: number;
  /** Whether some layers see only the last tokens. */
  hasWindow: boolean;
  /** Tokens in the vocabulary. */
  vocabulary: number;
  /** Pairs of tokens that the tokenizer joins. */
  merges: number;
}

/** Values of a block of Q8_0. WebGPU reads words of 4 bytes, and a block has 34, so a row must have an even number of them. */
const BLOCK = 32;
const BLOCKS_OF_ROW = 2;

/** Architectures whose attention llama.cpp computes without the kernel that reads blocks, or with caches of their own. */
const WITHOUT_BLOCKS = new Set(['deepseek4', 'dots3note', 'grok']);

/** Layers that llama.cpp has room for. */
const MOST_LAYERS = 512;

const layerCount = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_LAYERS));
const perLayer = v.union([v.number(), v.array(v.number())]);

/** @throws GgufError if a field has another type than the format says */
export function ggufShape(file: GgufHeader): GgufShape {
  const architecture = field(file, 'general.architecture', v.string());
  const read = <T>(key: string, schema: v.GenericSchema<unknown, T>) =>
    optionalField(file, `${architecture}.${key}`, schema);
  const number = (key: string) => read(key, v.number());
  const width = number('embedding_length') ?? 0;
  const layers = read('block_count', layerCount) ?? 0;
  const heads = read('attention.head_count', perLayer) ?? 0;
  const headValues = width / (largest(heads) || 1);
  const cached = cacheHeads(number, layers, read('attention.head_count_kv', perLayer) ?? heads);
  return {
    architecture,
    cacheHeads: cached,
    cacheValues: cacheValues(number, headValues),
    hasCacheBlocks: !WITHOUT_BLOCKS.has(architecture) && hasBlocks(number, headValues, cached),
    stateValues: layers * stateValues(number, { width, heads: largest(heads) }),
    width,
    innerWidth: Math.max(
      largest(read('feed_forward_length', perLayer) ?? 0),
      (number('expert_used_count') ?? 0) * (number('expert_feed_forward_length') ?? 0),
    ),
    hasWindow: (read('attention.sliding_window', perLayer) ?? 0) !== 0,
    vocabulary: lengthOf(file, 'tokenizer.ggml.tokens'),
    merges: lengthOf(file, 'tokenizer.ggml.merges'),
  };
}

/** Gives the number under a key of the model's architecture. */
type ReadNumber = (key: string) => number | undefined;

/** Layers that predict further tokens are not used, and some layers share the cache of another one. */
function cacheHeads(number: ReadNumber, layers: number, heads: number | number[]): number[] {
  const without =
    (number('nextn_predict_layers') ?? 0) + (number('attention.shared_kv_layers') ?? 0);
  const interval = number('full_attention_interval') ?? 1;
  return Array.from({ length: Math.max(0, layers - without) }, (_, layer) => {
    const isAttention = (layer + 1) % interval === 0;
    return isAttention ? (Array.isArray(heads) ? (heads[layer] ?? 0) : heads) : 0;
  });
}

/** With latent attention (MLA), the cache has keys only. The values are made of them. */
function cacheValues(number: ReadNumber, headValues: number): number {
  const keys = number('attention.key_length') ?? headValues;
  const values = number('attention.value_length') ?? headValues;
  const windowKeys = number('attention.key_length_swa') ?? 0;
  const windowValues = number('attention.value_length_swa') ?? 0;
  return Math.max(keys, windowKeys) + (isLatent(number) ? 0 : Math.max(values, windowValues));
}

function isLatent(number: ReadNumber): boolean {
  return number('attention.key_length_mla') !== undefined;
}

/** Whether keys and values of each layer and head fill blocks. Latent attention reads values in keys, which was not tried. */
function hasBlocks(number: ReadNumber, headValues: number, heads: readonly number[]): boolean {
  const sizes = ['key_length', 'value_length'].flatMap((key) => {
    const size = number(`attention.${key}`) ?? headValues;
    return [size, number(`attention.${key}_swa`) ?? size];
  });
  const areWhole = heads.every((each) =>
    sizes.every((size) => size % BLOCK === 0 && (each * size) % (BLOCKS_OF_ROW * BLOCK) === 0),
  );
  return areWhole && heads.some((each) => each > 0) && !isLatent(number);
}

/** Values of one layer's recurrent state, as llama.cpp computes them in `n_embd_r` and `n_embd_s`. */
function stateValues(number: ReadNumber, { width, heads }: { width: number; heads: number }) {
  const blockSize = number('wkv.head_size');
  if (blockSize !== undefined) return width * ((number('token_shift_count') ?? 2) + blockSize);
  const convolution = number('shortconv.l_cache');
  if (convolution !== undefined) return width * (convolution - 1);
  const kernel = (number('ssm.conv_kernel') ?? 1) - 1;
  const delta = number('kda.head_dim');
  if (delta !== undefined) return heads * delta * (3 * kernel + delta);
  const inner = number('ssm.inner_size') ?? 0;
  const state = number('ssm.state_size') ?? 0;
  const groups = number('ssm.group_count') ?? 0;
  return kernel * (inner + 2 * groups * state) + inner * state;
}

function lengthOf(file: GgufHeader, key: string): number {
  return optionalField(file, key, texts)?.length ?? 0;
}

function largest(values: number | number[]): number {
  return Array.isArray(values) ? values.reduce((most, value) => Math.max(most, value), 0) : values;
}
