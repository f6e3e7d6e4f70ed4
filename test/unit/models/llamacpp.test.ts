import { beforeEach, describe, expect, test } from 'vitest';

import { WEIGHT_ALIGNMENT } from '../../../src/core/files/gguf/gguf-support.ts';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import {
  CONTROL_TOKENS,
  TRAINED_CONTEXT,
  VOCABULARY_SIZE,
  tinyLlama,
  tinyLlamaParts,
} from '../../support/gguf/tiny-llama.ts';

const file = Buffer.from(tinyLlama());

/** More than 2 GiB. Memory that is never written takes none of the machine's. */
const MUCH = 2_300_000_000;

/** Starts a module whose memory has the file at the next free place, as the engine has it. @param size - of the file */
async function loadInMemory(size: number, taken = 0): Promise<LlamaInNode> {
  const llama = await LlamaInNode.start();
  const { module } = llama;
  if (taken > 0) expect(module._malloc(taken)).not.toBe(0);
  const pointer = module._malloc(size + WEIGHT_ALIGNMENT) >>> 0;
  const start = Math.ceil(pointer / WEIGHT_ALIGNMENT) * WEIGHT_ALIGNMENT;
  module.HEAPU8.set(file, start);
  module.addFileInMemory('/model.gguf', start, size);
  llama.loadPaths(['/model.gguf']);
  return llama;
}

function logitsOf(llama: LlamaInNode) {
  const context = llama.newContext(64, 16);
  llama.decode(context, llama.tokenize('the'), 0);
  return llama.logits(context);
}

describe('the model', () => {
  test('says how large it is', async () => {
    const { module } = await LlamaInNode.load({ '/model.gguf': file });
    expect(module._lc_vocabulary_size()).toBe(VOCABULARY_SIZE);
    expect(module._lc_trained_context()).toBe(TRAINED_CONTEXT);
    expect(module._lc_weight_bytes()).toBeLessThan(file.length);
    expect(module._lc_weight_bytes()).toBeGreaterThan(file.length * 0.8);
  });

  test('names its first token only if prompts have to begin with one', async () => {
    const without = await LlamaInNode.load({ '/model.gguf': file });
    expect(without.module._lc_first_token()).toBe(-1);

    const wants = tinyLlama({ 'tokenizer.ggml.add_bos_token': { bool: true } });
    const llama = await LlamaInNode.load({ '/model.gguf': wants });
    expect(llama.piece(llama.module._lc_first_token())).toBe('<|im_start|>');
  });

  test('knows its control tokens and which of them ends a turn', async () => {
    const llama = await LlamaInNode.load({ '/model.gguf': file });
    const [end = -1, start = -1] = CONTROL_TOKENS.flatMap((text) => llama.tokenize(text));
    const [letter = -1] = llama.tokenize('a');
    const facts = [end, start, letter].map((token) => ({
      control: llama.module._lc_is_control(token),
      endsTurn: llama.module._lc_ends_turn(token),
    }));
    expect(facts).toEqual([
      { control: 1, endsTurn: 1 },
      { control: 1, endsTurn: 0 },
      { control: 0, endsTurn: 0 },
    ]);
  });

  test('in two parts computes the same as in one', async () => {
    const [first, second] = tinyLlamaParts();
    const split = await LlamaInNode.load({ '/a.gguf': first, '/b.gguf': second });
    const whole = await LlamaInNode.load({ '/model.gguf': file });
    expect(logitsOf(split)).toEqual(logitsOf(whole));
  });

  test('is used where its file is, also one of more than 2 GiB, and above 2 GiB', async () => {
    const expected = logitsOf(await LlamaInNode.load({ '/model.gguf': file }));
    expect(logitsOf(await loadInMemory(file.length))).toEqual(expected);
    expect(logitsOf(await loadInMemory(MUCH))).toEqual(expected);
    expect(logitsOf(await loadInMemory(file.length, MUCH))).toEqual(expected);
  });
});

describe('text', () => {
  let llama: LlamaInNode;
  beforeEach(async () => {
    llama = await LlamaInNode.load({ '/model.gguf': file });
  });

  test('becomes tokens and text again', () => {
    const tokens = llama.tokenize('the <|im_start|>é');
    expect(tokens.map((token) => llama.piece(token)).slice(0, 4)).toEqual([
      ...['th', 'e', ' ', '<|im_start|>'],
    ]);
    expect(tokens).toHaveLength(6);
  });

  test('that has more tokens than there is room for says how many', () => {
    const { module } = llama;
    const tokens = module._malloc(4);
    module.HEAP32[tokens >>> 2] = 4711;
    const text = module._malloc(3);
    module.HEAPU8.set(Buffer.from('abc'), text);
    expect(module._lc_tokenize(text, 3, tokens, 1)).toBe(3);
    expect(module.HEAP32[tokens >>> 2]).toBe(4711);
  });

  test('of a token that does not fit says how long it is', () => {
    const [start = -1] = llama.tokenize('<|im_start|>');
    expect(llama.module._lc_piece(start, llama.module._malloc(4), 4)).toBe(12);
  });
});

describe('a context', () => {
  let llama: LlamaInNode;
  let tokens: number[];
  beforeEach(async () => {
    llama = await LlamaInNode.load({ '/model.gguf': file });
    tokens = llama.tokenize('a path of the forest');
  });

  /** The logits after these tokens in a new context. */
  function fresh(prompt: number[]): number[] {
    const context = llama.newContext(64, 32);
    llama.decode(context, prompt, 0);
    return llama.logits(context);
  }

  test('computes the same in one batch and token by token', () => {
    const context = llama.newContext(64, 8);
    for (const [position, token] of tokens.entries()) llama.decode(context, [token], position);
    expectClose(llama.logits(context), fresh(tokens));
  });

  test('in memory that was used before, computes the same', () => {
    const { module } = llama;
    const expected = fresh(tokens);
    const bytes = 10_000_000;
    const used = module._malloc(bytes);
    // Bytes of 0xff are NaN as floats, which would spread.
    module.HEAPU8.fill(0xff, used, used + bytes);
    module._free(used);
    expectClose(fresh(tokens), expected);
  });

  test('goes on after what it keeps', () => {
    const context = llama.newContext(64, 64);
    llama.decode(context, [...tokens, ...tokens], 0);
    expect(llama.keep(context, 4)).toBe(1);
    llama.decode(context, tokens.slice(4), 4);
    expectClose(llama.logits(context), fresh(tokens));
  });

  test('replaces tokens that are computed again', () => {
    const context = llama.newContext(64, 64);
    llama.decode(context, [...tokens, ...tokens], 0);
    llama.decode(context, tokens.slice(4), 4);
    expectClose(llama.logits(context), fresh(tokens));
  });

  test('is copied, and then each goes its own way', () => {
    const from = llama.newContext(64, 32);
    const to = llama.newContext(64, 32);
    llama.decode(to, tokens.toReversed(), 0);
    llama.decode(from, tokens.slice(0, 6), 0);
    llama.copy(from, to);
    llama.decode(from, tokens.slice(0, 3), 6);
    llama.decode(to, tokens.slice(6), 6);
    expectClose(llama.logits(to), fresh(tokens));
    expectClose(llama.logits(from), fresh([...tokens.slice(0, 6), ...tokens.slice(0, 3)]));
  });

  test('is empty after a copy of an empty one', () => {
    const from = llama.newContext(64, 32);
    const to = llama.newContext(64, 32);
    llama.decode(to, tokens, 0);
    llama.copy(from, to);
    expect(() => llama.decode(to, tokens, 1)).toThrow('The KV cache has only 0 tokens.');
  });

  test('has logits that may be changed', () => {
    const context = llama.newContext(64, 32);
    llama.decode(context, tokens, 0);
    const pointer = llama.module._lc_logits(context, 0) >>> 2;
    llama.module.HEAPF32.fill(0, pointer, pointer + VOCABULARY_SIZE);
    expect(new Set(llama.logits(context))).toEqual(new Set([0]));
    llama.decode(context, [tokens[0] ?? 0], 0);
    expectClose(llama.logits(context), fresh(tokens.slice(0, 1)));
  });

  test('has no logits if none were wanted', () => {
    const context = llama.newContext(64, 32);
    llama.decode(context, tokens, 0, 0);
    expect(llama.module._lc_logits(context, 0)).toBe(0);
  });

  test('that is aborted has the tokens that it had before', () => {
    const context = llama.newContext(64, 32);
    llama.decode(context, tokens.slice(0, 4), 0);
    llama.aborted = true;
    expect(llama.decode(context, tokens.slice(4), 4)).toBe(1);
    llama.aborted = false;
    llama.decode(context, tokens.slice(4), 4);
    expectClose(llama.logits(context), fresh(tokens));
  });

  test('says how much memory it has, and gives it back', () => {
    const small = llama.newContext(256, 32);
    const large = llama.newContext(8192, 32);
    // Two layers, keys and values, 32 numbers of 4 bytes each, as the weights have.
    const difference = (8192 - 256) * 2 * 2 * 32 * 4;
    const bytes = [small, large].map((context) => llama.module._lc_context_bytes(context));
    expect((bytes[1] ?? 0) - (bytes[0] ?? 0)).toBeGreaterThanOrEqual(difference);
    expect((bytes[1] ?? 0) - (bytes[0] ?? 0)).toBeLessThan(difference * 1.5);

    llama.module._lc_free_context(large);
    const memory = llama.module.HEAPU8.length;
    for (let i = 0; i < 20; i++) llama.module._lc_free_context(llama.newContext(8192, 32));
    expect(llama.module.HEAPU8.length).toBe(memory);
  });

  test('refuses what does not fit, and goes on', () => {
    const context = llama.newContext(16, 8);
    expect(() => llama.decode(context, tokens, 0)).toThrow('A batch has 1 to 8 tokens.');
    expect(() => llama.decode(context, [], 0)).toThrow('A batch has 1 to 8 tokens.');
    expect(() => llama.decode(context, [1], 3)).toThrow('The KV cache has only 0 tokens.');
    expect(() => llama.decode(context, [VOCABULARY_SIZE], 0)).toThrow('not in the vocabulary');
    expect(() => llama.decode(context + 1, [1], 0)).toThrow('There is no context 1.');
    llama.decode(context, tokens.slice(0, 8), 0);
    llama.decode(context, tokens.slice(8, 16), 8);
    expect(() => llama.decode(context, [1], 16)).toThrow('The context has only 16 tokens.');
    expectClose(llama.logits(context), fresh(tokens.slice(0, 16)));
  });
});

describe('a file is refused in plain English:', () => {
  const load = (bytes: Uint8Array) => LlamaInNode.load({ '/model.gguf': bytes });

  test('no GGUF', async () => {
    await expect(load(Buffer.from('<!doctype html>'.repeat(20)))).rejects.toThrow(
      /^-1: This is not a GGUF file\./,
    );
  });

  test('an empty file', async () => {
    await expect(load(new Uint8Array(0))).rejects.toThrow(/^-1: /);
  });

  test.each([100, 3000, file.length - 1000])('cut off after %i bytes', async (length) => {
    await expect(load(file.subarray(0, length))).rejects.toThrow(/^-1: The file is cut off/);
  });

  test('an unknown architecture', async () => {
    const bytes = tinyLlama({ 'general.architecture': { string: 'abacus' } });
    await expect(load(bytes)).rejects.toThrow(
      /^-1: llama\.cpp does not know the architecture of this model\..*'abacus'/,
    );
  });

  test('an unknown tokenizer', async () => {
    const bytes = tinyLlama({ 'tokenizer.ggml.pre': { string: 'abacus' } });
    await expect(load(bytes)).rejects.toThrow(
      /^-1: llama\.cpp does not know the tokenizer of this model\..*'abacus'/,
    );
  });

  test('a missing part', async () => {
    const [first] = tinyLlamaParts();
    await expect(load(first)).rejects.toThrow(/^-1: A part of this model is missing\./);
  });

  test('parts in another order', async () => {
    const [first, second] = tinyLlamaParts();
    await expect(LlamaInNode.load({ '/b.gguf': second, '/a.gguf': first })).rejects.toThrow(
      /^-1: /,
    );
  });

  test('a missing tensor', async () => {
    const bytes = tinyLlama({ 'llama.block_count': { u32: 3 } });
    await expect(load(bytes)).rejects.toThrow(/^-1: .*blk\.2\.attn_norm\.weight/);
  });
});

function expectClose(actual: number[], expected: number[]): void {
  const differences = actual.map((value, index) => Math.abs(value - (expected[index] ?? NaN)));
  expect(Math.max(...differences)).toBeLessThan(1e-3);
}
