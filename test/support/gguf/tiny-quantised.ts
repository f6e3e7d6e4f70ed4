import { seededRandom } from '../../../scripts/seeded-random.ts';
import { f32Bytes, type Tensor } from './gguf-bytes.ts';
import { randomBlocks, unpacked, type QuantisedFormat } from './quantised-blocks.ts';
import { tinyGguf } from './tiny-gguf.ts';

export const VOCABULARY = 259;
/** Two blocks of 256 weights. */
const WIDTH = 512;
/** Rows of the tested matrix. The kernels take four at once, so the last three rows are a special case. */
const ROWS = 67;
/** Rows that are repacked, if the format can be. */
export const REPACKED_ROWS = 72;
const HEAD = 32;
/** ggml's numbers. */
const [F32, F16] = [0, 1];

/** Random weights of the tested matrix. */
export function testedBlocks(format: QuantisedFormat, rows = ROWS): Uint8Array {
  return randomBlocks(format, (rows * WIDTH) / format.weights, seededRandom(format.type));
}

/**
 * A GGUF file of a small Llama that has one matrix with these weights, in their format or unpacked to F32. Apart from
 * that, both files are the same.
 *
 * The matrix is `ffn_up` of the first of two layers, where it is multiplied with all tokens of a prompt. Attention adds
 * nothing before it, so these tokens are embeddings, scaled by a norm. The second layer's attention brings what the
 * matrix gave for each token to the last one, whose logits can be read.
 */
export function tinyQuantised(
  format: QuantisedFormat,
  blocks: Uint8Array,
  as: 'blocks' | 'floats',
): Buffer {
  const weights = unpacked(format, blocks);
  const rows = weights.length / WIDTH;
  const tested =
    as === 'blocks'
      ? { type: format.type, bytes: blocks }
      : { type: F32, bytes: f32Bytes(weights) };
  const names = ['key_length', 'value_length'].map((name) => `llama.attention.${name}`);
  return tinyGguf({
    shape: { layers: 2, width: WIDTH, heads: 1, cacheHeads: 1, innerWidth: rows },
    metadata: Object.fromEntries(
      [...names, 'llama.rope.dimension_count'].map((name) => [name, { u32: HEAD }]),
    ),
    tensors: [
      { name: 'blk.0.ffn_up.weight', shape: [rows, WIDTH], ...tested },
      ...otherTensors(format, rows, 1 / (root(weights) * Math.sqrt(WIDTH))),
    ],
  });
}

/** @param norm - scales the products with the tested matrix to about 1 */
function otherTensors(format: QuantisedFormat, rows: number, norm: number): Tensor[] {
  const random = seededRandom(1);
  const matrix = (name: string, height: number, columns: number, size = 1): Tensor => {
    const scale = (2 * size) / Math.sqrt(columns);
    const values = new Float32Array(height * columns).map(() => (random() - 0.5) * scale);
    return { name: `${name}.weight`, type: F32, shape: [height, columns], bytes: f32Bytes(values) };
  };
  const attention = (layer: number, size: number) => [
    vector(`blk.${layer}.attn_norm`, 1),
    matrix(`blk.${layer}.attn_q`, HEAD, WIDTH),
    matrix(`blk.${layer}.attn_k`, HEAD, WIDTH),
    matrix(`blk.${layer}.attn_v`, HEAD, WIDTH),
    matrix(`blk.${layer}.attn_output`, WIDTH, HEAD, size),
  ];
  return [
    ...[embeddings(format, random), ...attention(0, 0), vector('blk.0.ffn_norm', norm)],
    ...[matrix('blk.0.ffn_gate', rows, WIDTH, 1 / norm), matrix('blk.0.ffn_down', WIDTH, rows, 32)],
    ...[...attention(1, 16), vector('blk.1.ffn_norm', 1)],
    ...[matrix('blk.1.ffn_gate', rows, WIDTH), matrix('blk.1.ffn_up', rows, WIDTH)],
    ...[matrix('blk.1.ffn_down', WIDTH, rows), vector('output_norm', 1)],
    matrix('output', VOCABULARY, WIDTH, 4),
  ];
}

/**
 * Integers, divided by 256, that lose nothing when the kernels round them. For blocks of 256 weights, the kernels round
 * to integers up to 127; for blocks of 32 weights, to integers up to 32,767, which is 151 times 217. Each block must
 * have the largest integer. The embeddings are in F16, because the KV cache of a file that is all F32 is in F32, too.
 */
function embeddings({ weights }: QuantisedFormat, random: () => number): Tensor {
  const largest = weights === 256 ? 127 : 217;
  const numbers = new Float16Array(VOCABULARY * WIDTH).map((_, index) => {
    const sign = random() < 0.5 ? -1 : 1;
    const integer = index % weights === 0 ? largest : Math.floor(random() * (largest + 1));
    return (sign * integer) / 256;
  });
  const bytes = new Uint8Array(numbers.buffer);
  return { name: 'token_embd.weight', type: F16, shape: [VOCABULARY, WIDTH], bytes };
}

function vector(name: string, value: number): Tensor {
  const bytes = f32Bytes(new Float32Array(WIDTH).fill(value));
  return { name: `${name}.weight`, type: F32, shape: [WIDTH], bytes };
}

/** The root of the mean square. */
function root(values: Float32Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
}
