import type { Checkpoint } from './checkpoint.ts';
import { quantiseEmbedding, quantiseLinear } from './quantise.ts';

/** Name of the layout in models/QUANTISATION.md. */
export const QUANTIZATION = 'q4f32_s8';

/** A tensor as the pack stores it: named and laid out as models/QUANTISATION.md says. */
export interface Parameter {
  name: string;
  shape: number[];
  data: Uint32Array | Float32Array;
}

export function dtypeOf(data: Parameter['data']): 'uint32' | 'float32' {
  return data instanceof Uint32Array ? 'uint32' : 'float32';
}

/** All parameters that the model library reads. They are made one by one, so that few are in memory. */
export function* packParameters(checkpoint: Checkpoint): Generator<Parameter> {
  const { layers, hidden } = checkpoint.shape;
  yield* embedding(checkpoint);
  for (let layer = 0; layer < layers; layer++) yield* layerParameters(checkpoint, layer);
  yield norm('norm', checkpoint.tensor('model.norm.weight', [hidden]));
}

function* layerParameters(checkpoint: Checkpoint, layer: number): Generator<Parameter> {
  const { hidden, heads, kvHeads, headDim, ffn } = checkpoint.shape;
  const from = `model.layers.${layer}`;
  const to = `layers.${layer}`;
  const weight = (name: string, shape: number[]) =>
    checkpoint.tensor(`${from}.${name}.weight`, shape);
  const projections = (k: number, outputs: [string, number][]) =>
    sideBySide(outputs.map(([name, n]) => weight(name, [n, k])));

  yield norm(`${to}.attn_norm`, weight('input_layernorm', [hidden]));
  const qkv = projections(hidden, [
    ['self_attn.q_proj', heads * headDim],
    ['self_attn.k_proj', kvHeads * headDim],
    ['self_attn.v_proj', kvHeads * headDim],
  ]);
  yield* linear(`${to}.qkv`, qkv, hidden);
  yield* linear(`${to}.o`, weight('self_attn.o_proj', [hidden, heads * headDim]), heads * headDim);
  yield norm(`${to}.ffn_norm`, weight('post_attention_layernorm', [hidden]));
  const gateUp = projections(hidden, [
    ['mlp.gate_proj', ffn],
    ['mlp.up_proj', ffn],
  ]);
  yield* linear(`${to}.gate_up`, gateUp, hidden);
  yield* linear(`${to}.down`, weight('mlp.down_proj', [hidden, ffn]), ffn);
}

function* embedding(checkpoint: Checkpoint): Generator<Parameter> {
  const { hidden: k, vocab } = checkpoint.shape;
  const { lo, hi, s, c } = quantiseEmbedding(
    checkpoint.tensor('model.embed_tokens.weight', [vocab, k]),
    k,
  );
  yield { name: 'embed_tokens.lo', shape: [k / 8, vocab], data: lo };
  yield { name: 'embed_tokens.hi', shape: [k / 16, vocab], data: hi };
  yield { name: 'embed_tokens.s', shape: [Math.ceil(k / 128), vocab], data: s };
  yield { name: 'embed_tokens.c', shape: [vocab], data: c };
}

/** @param rows - `[n, k]` */
function* linear(name: string, rows: Float32Array, k: number): Generator<Parameter> {
  const n = rows.length / k;
  const { q, s, c } = quantiseLinear(rows, k);
  yield { name: `${name}.q`, shape: [k / 8, n], data: q };
  yield { name: `${name}.s`, shape: [k / 64, n], data: s };
  yield { name: `${name}.c`, shape: [2, n], data: c };
}

function norm(name: string, data: Float32Array): Parameter {
  return { name: `${name}.weight`, shape: [data.length], data };
}

function sideBySide(parts: Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
