import { beforeAll, expect, test } from 'vitest';
import {
  ARCHITECTURES,
  PRE_TOKENIZERS,
  TENSOR_TYPES,
  TOKENIZERS,
} from '../../../../../src/core/files/gguf/llamacpp-build.ts';
import { openLlamaProduct, type LlamaProduct } from '../../../../support/gguf/llama-product.ts';
import { tensorOfType, tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';

// These tests ask the built product about each entry of the lists. Its messages name what it does not support.

let llama: LlamaProduct;

beforeAll(async () => {
  llama = await openLlamaProduct();
});

/** What llama.cpp says about a model with this field, which it cannot load in any case. */
function answer(key: string, value: string): string {
  const metadata = { [key]: { string: value } };
  return llama.load([tinyGguf({ metadata, tensors: [tensorOfType(0)] })]) ?? '';
}

test.each([
  ['general.architecture', ARCHITECTURES, 'does not know the architecture'],
  ['tokenizer.ggml.model', TOKENIZERS, 'does not know the tokenizer'],
  ['tokenizer.ggml.pre', PRE_TOKENIZERS, 'does not know the tokenizer'],
])('llama.cpp knows each %s of the list', (key, known, complaint) => {
  expect(known.size).toBeGreaterThan(5);
  for (const value of known) {
    expect(answer(key, value), value).toContain('llama.cpp');
    expect(answer(key, value), value).not.toContain(complaint);
  }
  expect(answer(key, 'none such')).toContain(complaint);
});

test('tensors of each type of the list have the size that llama.cpp expects', () => {
  for (const [type, { name, blockBytes, blockValues }] of TENSOR_TYPES) {
    const shape = [32, blockValues];
    const tensors = ['a', 'b'].map((each) => ({
      ...tensorOfType(type, each),
      shape,
      bytes: new Uint8Array(32 * blockBytes),
    }));
    // The second one has to begin where the first ends. The model lacks all others.
    expect(llama.load([tinyGguf({ tensors })]), name).toMatch(/'token_embd.weight' not found/);
    const shifted = tensors.map((tensor) => ({
      ...tensor,
      bytes: new Uint8Array(32 * blockBytes + 32),
    }));
    expect(llama.load([tinyGguf({ tensors: shifted })]), name).toMatch(/has offset .* expected/);
  }
});

test('types that are not in the list are unknown to llama.cpp, or it cannot multiply them', () => {
  // F64, and the formats of intermediate results.
  const computedOnly = [9, 15, 28];
  const others = Array.from({ length: 64 }, (_, type) => type).filter(
    (type) => !TENSOR_TYPES.has(type),
  );
  for (const type of others.filter((each) => !computedOnly.includes(each))) {
    expect(llama.load([tinyGguf({ tensors: [tensorOfType(type)] })]), `type ${type}`).toMatch(
      /REMOVED|invalid ggml type|of type/,
    );
  }
});
