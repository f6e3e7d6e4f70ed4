import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelOptions } from '../../../../src/node/pack/model-options.ts';

const WASM = Buffer.from('\0asm');

/** Parameters of the tiny Llama as its kernels would read them. */
const PARAMETERS: [string, string, number[]][] = [
  ['embed_tokens.lo', 'uint32', [8, 6]],
  ['embed_tokens.hi', 'uint32', [4, 6]],
  ['embed_tokens.s', 'uint32', [1, 6]],
  ['embed_tokens.c', 'float32', [6]],
  ['layers.0.attn_norm.weight', 'float32', [64]],
  ...linear('qkv', 128),
  ...linear('o', 64),
  ['layers.0.ffn_norm.weight', 'float32', [64]],
  ...linear('gate_up', 128),
  ...linear('down', 64),
  ['norm.weight', 'float32', [64]],
];

/** What `library.json` says about it. */
export const DESCRIPTION = {
  file: 'tiny.wasm',
  sha256: createHash('sha256').update(WASM).digest('hex'),
  quantization: 'q4f32_s8',
  shape: {
    hidden: 64,
    layers: 1,
    heads: 2,
    kv_heads: 1,
    head_dim: 32,
    ffn: 64,
    vocab: 6,
    eps: 1e-5,
    rope_theta: 10000,
    context: 128,
    prefill_chunk: 16,
  },
  params: PARAMETERS.map(([name, dtype, shape]) => ({ name, dtype, shape })),
};

/** Writes a model library, its description, and the options of a pack that name it. */
export function writeLibrary(folder: string, description: object = DESCRIPTION): ModelOptions {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(folder, name), content);
  const options = {
    id: 'test/tiny',
    ownedBy: 'test',
    license: 'mit',
    created: 1,
    temperature: 0.5,
    topP: 1,
    library: 'tiny.wasm',
  };
  write('tiny.wasm', WASM);
  write('library.json', JSON.stringify({ libraries: { tiny: description } }));
  write('tiny.json', JSON.stringify(options));
  return { ...options, library: join(folder, 'tiny.wasm') };
}

function linear(name: string, n: number): [string, string, number[]][] {
  return [
    [`layers.0.${name}.q`, 'uint32', [8, n]],
    [`layers.0.${name}.s`, 'uint32', [1, n]],
    [`layers.0.${name}.c`, 'float32', [2, n]],
  ];
}
