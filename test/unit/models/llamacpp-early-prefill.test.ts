import { expect, test } from 'vitest';
import makeThreaded from '../../../models/llamacpp/built/llamacpp-threads.js';
import makeSingle from '../../../models/llamacpp/built/llamacpp.js';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import type { LlamaModuleFactory } from '../../../models/llamacpp/module.ts';
import { WEIGHT_ALIGNMENT } from '../../../src/core/files/gguf/gguf-support.ts';
import { tinyLlama } from '../../support/gguf/tiny-llama.ts';

const file = Buffer.from(tinyLlama());
/** More than the header takes. */
const HEADER = file.length / 4;

/** A model of whose file only the first quarter is there, with a prompt that is being read. */
async function open(make: LlamaModuleFactory = makeSingle, threads = 1) {
  const llama = await LlamaInNode.start(make, { threads });
  const { module } = llama;
  const pointer = module._malloc(file.length + WEIGHT_ALIGNMENT) >>> 0;
  const start = Math.ceil(pointer / WEIGHT_ALIGNMENT) * WEIGHT_ALIGNMENT;
  const end = start + file.length;
  let filled = 0;
  const fill = (bytes: number) => {
    module.HEAPU8.set(file.subarray(filled, bytes), start + filled);
    filled = bytes;
  };
  // Missing weights hold 0x7f, so results computed with them would be wrong.
  module.HEAPU8.fill(0x7f, start, end);
  fill(HEADER);
  module.addFileInMemory('/model.gguf', start, file.length);
  llama.loadPaths(['/model.gguf']);
  const context = llama.newContext(64, 32, threads);
  const tokens = llama.tokenize('the other one of these');
  const read = () =>
    llama.continuePrefill(context, filled < file.length ? [start + filled, end] : [], threads);
  return { llama, context, tokens, fill, read };
}

/** The results of `lc_decode` for the same prompt, and for the token after it. */
async function expected() {
  const llama = await LlamaInNode.load({ '/model.gguf': file });
  const context = llama.newContext(64, 32);
  const tokens = llama.tokenize('the other one of these');
  llama.decode(context, tokens, 0);
  const first = llama.logits(context);
  llama.decode(context, [1], tokens.length);
  return { first, second: llama.logits(context) };
}

test.each<[string, LlamaModuleFactory, number]>([
  ['one thread', makeSingle, 1],
  ['two threads', makeThreaded, 2],
])('each part is computed when its weights are there, with %s', async (_, make, threads) => {
  const { llama, context, tokens, fill, read } = await open(make, threads);
  llama.beginPrefill(context, tokens);
  const left = [read()];
  for (let eighth = 3; eighth <= 8; eighth++) {
    fill(Math.floor((eighth * file.length) / 8));
    left.push(read());
  }
  expect(left.at(-1)).toBe(0);
  expect(left.at(-2)).toBeGreaterThan(0);
  expect(left).toEqual(left.toSorted((a, b) => b - a));
  expect(new Set(left).size).toBeGreaterThan(3);
  const { first, second } = await expected();
  expect(llama.logits(context)).toEqual(first);
  llama.decode(context, [1], tokens.length);
  expect(llama.logits(context)).toEqual(second);
});

test('what else is done with the context gives it up', async () => {
  const { llama, context, tokens, fill, read } = await open();
  llama.beginPrefill(context, llama.tokenize('something else'));
  expect(read()).toBeGreaterThan(0);
  fill(file.length);
  llama.decode(context, tokens, 0);
  expect(llama.logits(context)).toEqual((await expected()).first);
  expect(read).toThrow('No prefill has begun in this context.');
  llama.beginPrefill(context, tokens);
  expect(llama.keep(context, 1)).toBe(1);
  expect(read).toThrow('No prefill has begun in this context.');
  expect(() => llama.decode(context, tokens, 1)).toThrow('The KV cache has only 0 tokens.');
});

test('before it is done, there are no logits; without them, none are computed', async () => {
  const { llama, context, tokens, fill, read } = await open();
  llama.beginPrefill(context, tokens.slice(0, -1), false);
  read();
  expect(llama.module._lc_logits(context, 0)).toBe(0);
  fill(file.length);
  expect(read()).toBe(0);
  llama.decode(context, tokens.slice(-1), tokens.length - 1);
  const { first } = await expected();
  for (const [token, logit] of llama.logits(context).entries()) {
    expect(logit).toBeCloseTo(first[token] ?? NaN, 4);
  }
});

test('what cannot be begun is refused, and nothing has changed', async () => {
  const { llama, context, fill } = await open();
  expect(() => llama.beginPrefill(context, [])).toThrow('A batch has 1 to 32 tokens.');
  expect(() => llama.beginPrefill(context, [-7])).toThrow('A token is not in the vocabulary.');
  expect(() => llama.beginPrefill(3, [1])).toThrow('There is no context 3.');
  fill(file.length);
  expect(llama.decode(context, [1], 0)).toBe(0);
});
