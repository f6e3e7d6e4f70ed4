import { describe, expect, test, vi } from 'vitest';
import makeThreaded from '../../../models/llamacpp/built/llamacpp-threads.js';
import makeSingle from '../../../models/llamacpp/built/llamacpp.js';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import type { LlamaModuleFactory } from '../../../models/llamacpp/module.ts';
import { tinyLlama } from '../../support/gguf/tiny-llama.ts';
import { tinyMamba } from '../../support/gguf/tiny-mamba.ts';

// Compiling llama.cpp takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const TEXT = 'the other one of these, then';

async function open(file: Uint8Array, make: LlamaModuleFactory = makeSingle, threads = 1) {
  const llama = await LlamaInNode.load({ '/model.gguf': file }, make, { threads });
  return { llama, context: llama.newContext(64, 32, threads), tokens: llama.tokenize(TEXT) };
}

/** The state after a text, in pieces of this size. */
async function stateOf(file: Uint8Array, size = 1000) {
  const { llama, context, tokens } = await open(file);
  llama.decode(context, tokens.slice(0, -1), 0);
  const pieces = await llama.state(context, size);
  llama.decode(context, tokens.slice(-1), tokens.length - 1);
  return { pieces, expected: llama.logits(context) };
}

const MODELS: [string, () => Uint8Array][] = [
  ['a model with attention', tinyLlama],
  ['a recurrent model', tinyMamba],
];
const PRODUCTS: [string, LlamaModuleFactory, number][] = [
  ['one thread', makeSingle, 1],
  ['two threads', makeThreaded, 2],
];

describe.each(MODELS)('the state of %s', (_, make) => {
  const file = make();

  test.each(PRODUCTS)(
    'goes on in another module with %s as if it was computed there',
    async (...[, factory, threads]) => {
      const { pieces, expected } = await stateOf(file);
      expect(pieces.length).toBeGreaterThan(2);
      const { llama, context, tokens } = await open(file, factory, threads);
      llama.decode(context, [1, 2, 3], 0);
      expect(llama.putState(context, pieces)).toBe(tokens.length - 1);
      llama.decode(context, tokens.slice(-1), tokens.length - 1);
      expect(llama.logits(context)).toEqual(expected);
    },
  );

  test('may be put in other pieces than it was taken in', async () => {
    const { pieces, expected } = await stateOf(file, 4);
    const whole = Buffer.concat(pieces);
    const { llama, context, tokens } = await open(file);
    llama.putState(context, [whole.subarray(0, 8), whole.subarray(8)]);
    llama.decode(context, tokens.slice(-1), tokens.length - 1);
    expect(llama.logits(context)).toEqual(expected);
  });

  test('is refused if bytes are missing or too many, and the KV cache is then empty', async () => {
    const { pieces } = await stateOf(file, 1 << 20);
    const whole = Buffer.concat(pieces);
    const { llama, context, tokens } = await open(file);
    llama.decode(context, tokens, 0);
    for (const half of [0, 2, 40, whole.length - 4]) {
      expect(() => llama.putState(context, [whole.subarray(0, half)])).toThrow('too short');
      expect(() => llama.decode(context, [1], 1)).toThrow('The KV cache has only 0 tokens.');
    }
    expect(() => llama.putState(context, [whole, Buffer.alloc(4)])).toThrow('too long');
    expect(() => llama.decode(context, [1], 1)).toThrow('The KV cache has only 0 tokens.');
    expect(llama.decode(context, tokens, 0)).toBe(0);
  });
});

test('a state of another kind of model is refused', async () => {
  const { pieces } = await stateOf(tinyMamba());
  const { llama, context } = await open(tinyLlama());
  expect(() => llama.putState(context, pieces)).toThrow();
  expect(() => llama.decode(context, [1], 1)).toThrow('The KV cache has only 0 tokens.');
  expect(llama.decode(context, [1], 0)).toBe(0);
});

test('a state is only put after that was begun', async () => {
  const { llama } = await open(tinyLlama());
  expect(llama.module._lc_put(0, 0)).toBe(-1);
  expect(llama.module._lc_end_putting()).toBe(-1);
  expect(() => llama.putState(7, [])).toThrow('There is no context 7.');
});
