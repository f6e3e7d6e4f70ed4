import { expect, test } from 'vitest';
import type { GgufHeader, GgufTensor } from '../../../../../src/core/files/gguf/gguf-header.ts';
import { ggufOnGpu } from '../../../../../src/core/files/gguf/gguf-on-gpu.ts';

const [F32, Q4_0, BF16] = [0, 2, 30];

function tensor(name: string, type: number, ...shape: number[]): GgufTensor {
  return { name, type, shape, offset: 0 };
}

function header(tensors: GgufTensor[], architecture = 'llama'): GgufHeader {
  const metadata = new Map([['general.architecture', architecture]]);
  return { name: 'a.gguf', metadata, tensors, listAt: 0 };
}

const TOKENS = tensor('token_embd.weight', F32, 64, 1000);
const LAYER = tensor('blk.0.ffn_up.weight', Q4_0, 64, 128);

test('the largest tensor counts, of all parts', () => {
  const larger = tensor('blk.1.ffn_up.weight', F32, 64, 256);
  expect(ggufOnGpu([header([LAYER]), header([larger])])).toEqual({ tensorBytes: 64 * 256 * 4 });
});

test('the vectors of tokens count only if they make the logits, too', () => {
  expect(ggufOnGpu([header([TOKENS, LAYER])])).toEqual({ tensorBytes: 64 * 1000 * 4 });
  const logits = tensor('output.weight', Q4_0, 64, 1000);
  expect(ggufOnGpu([header([TOKENS, LAYER, logits])])).toEqual({ tensorBytes: 64 * 1000 * 0.5625 });
});

test('types and architectures without kernels are named', () => {
  const half = tensor('blk.0.attn_q.weight', BF16, 64, 64);
  expect(ggufOnGpu([header([LAYER, half])]).lacks).toBe('weights of the type BF16');
  expect(ggufOnGpu([header([LAYER], 'rwkv7')]).lacks).toBe('the architecture rwkv7');
});
