import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { f32Bytes, ggufBytes, type Field, type Tensor } from '../../../support/gguf/gguf-bytes.ts';

/** The smallest Llama that the quantisation allows; its weights are pseudorandom. */
export const SHAPE = {
  hidden: 64,
  layers: 1,
  heads: 2,
  kvHeads: 1,
  headDim: 32,
  ffn: 64,
  vocab: 6,
  normEpsilon: Math.fround(1e-5),
  ropeTheta: 10000,
};

export const TOKENS = ['<|endoftext|>', '<|im_start|>', '<|im_end|>', '<think>', 'a', 'Ġ'];

/** Shapes by the hub's names. */
export const TENSORS: Record<string, number[]> = {
  'model.embed_tokens.weight': [6, 64],
  'model.norm.weight': [64],
  'model.layers.0.input_layernorm.weight': [64],
  'model.layers.0.self_attn.q_proj.weight': [64, 64],
  'model.layers.0.self_attn.k_proj.weight': [32, 64],
  'model.layers.0.self_attn.v_proj.weight': [32, 64],
  'model.layers.0.self_attn.o_proj.weight': [64, 64],
  'model.layers.0.post_attention_layernorm.weight': [64],
  'model.layers.0.mlp.gate_proj.weight': [64, 64],
  'model.layers.0.mlp.up_proj.weight': [64, 64],
  'model.layers.0.mlp.down_proj.weight': [64, 64],
};

const GGUF_NAMES = [
  ...['token_embd', 'output_norm', 'blk.0.attn_norm', 'blk.0.attn_q', 'blk.0.attn_k'],
  ...['blk.0.attn_v', 'blk.0.attn_output', 'blk.0.ffn_norm', 'blk.0.ffn_gate', 'blk.0.ffn_up'],
  'blk.0.ffn_down',
];

export const METADATA: Record<string, Field> = {
  'general.architecture': { string: 'llama' },
  'general.file_type': { u32: 0 },
  'llama.block_count': { u32: 1 },
  'llama.context_length': { u64: 128 },
  'llama.embedding_length': { u32: 64 },
  'llama.feed_forward_length': { u32: 64 },
  'llama.attention.head_count': { u32: 2 },
  'llama.attention.head_count_kv': { u32: 1 },
  'llama.attention.layer_norm_rms_epsilon': { f32: 1e-5 },
  'tokenizer.ggml.model': { string: 'gpt2' },
  'tokenizer.ggml.pre': { string: 'smollm' },
  'tokenizer.ggml.add_bos_token': { bool: false },
  'tokenizer.ggml.tokens': { strings: TOKENS },
  'tokenizer.ggml.token_type': { i32s: [3, 3, 3, 4, 1, 1] },
  'tokenizer.ggml.merges': { strings: ['Ġ a'] },
  'tokenizer.ggml.bos_token_id': { u32: 1 },
  'tokenizer.ggml.eos_token_id': { u32: 2 },
  'tokenizer.chat_template': { string: '{{ messages }}' },
};

export const CONFIG = {
  architectures: ['LlamaForCausalLM'],
  hidden_size: 64,
  intermediate_size: 64,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  vocab_size: 6,
  rms_norm_eps: SHAPE.normEpsilon,
  tie_word_embeddings: true,
  bos_token_id: 1,
  eos_token_id: [2, 0],
};

/** Values from -1 to 1 that depend on the name only. */
export function weights(name: string, count: number): Float32Array {
  let state = Buffer.from(name).reduce((sum, byte) => sum * 31 + byte, 7) >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** The tensors of a GGUF, all F32. Rows of Q and K are not interleaved: only their order differs. */
export function ggufTensors(): Tensor[] {
  return Object.entries(TENSORS).map(([name, shape], i) => ({
    name: `${GGUF_NAMES[i]}.weight`,
    type: 0,
    shape,
    bytes: f32Bytes(weights(name, product(shape))),
  }));
}

export function tinyGguf(): Uint8Array {
  return ggufBytes(METADATA, ggufTensors());
}

/** The model of `tinyGguf` in two files, as llama.cpp splits it. */
export function splitGguf(): Uint8Array[] {
  const tensors = ggufTensors();
  const halves = [tensors.slice(0, 6), tensors.slice(6)];
  return halves.map((half, part) => {
    const split = { 'split.no': { u32: part }, 'split.count': { u32: halves.length } };
    const architecture = { 'general.architecture': { string: 'llama' } };
    return ggufBytes({ ...(part === 0 ? METADATA : architecture), ...split }, half);
  });
}

/** A safetensors file of tensors of one type. */
export function safetensorsBytes(tensors: Record<string, number[]>, dtype = 'F32'): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  const parts: Uint8Array[] = [];
  let offset = 0;
  for (const [name, shape] of Object.entries(tensors)) {
    const bytes = f32Bytes(weights(name, product(shape)));
    header[name] = { dtype, shape, data_offsets: [offset, offset + bytes.length] };
    offset += bytes.length;
    parts.push(bytes);
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...parts]);
}

/** Writes the folder of a model as it is on the hub. */
export function writeSnapshot(folder: string, config: object = CONFIG): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(folder, name), content);
  write('config.json', JSON.stringify(config));
  write('model.safetensors', safetensorsBytes(TENSORS));
  write('tokenizer.json', '{\n  "model": { "vocab": { "é": 0 } }\n}');
  write(
    'tokenizer_config.json',
    '{ "eos_token": "<|im_end|>", "chat_template": "{{ messages }}" }',
  );
}

function product(shape: number[]): number {
  return shape.reduce((a, b) => a * b, 1);
}
