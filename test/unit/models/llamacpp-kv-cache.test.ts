import { describe, expect, test, vi } from 'vitest';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import { seededRandom } from '../../../scripts/seeded-random.ts';
import { FAMILY_NAMES, ggufOfFamily, type FamilyName } from '../../support/gguf/gguf-families.ts';
import { tinyGguf } from '../../support/gguf/tiny-gguf.ts';
import { tinyLlama } from '../../support/gguf/tiny-llama.ts';
import { readTinyChat } from '../support/models/tiny-chat-llama.ts';

// Compiling llama.cpp takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const [CONTEXT, BATCH] = [1024, 32];
const QUESTION = '<|im_start|>user\nCount to 100.<|im_end|>\n<|im_start|>assistant\n';
/** The largest difference of a logit of tiny-chat was 0.26 in 64 tokens. */
const MOST_DIFFERENCE = 0.5;

/** A model with a context in F16 or F32, and one in Q8_0. */
async function openBoth(file: Uint8Array) {
  const llama = await LlamaInNode.load({ '/model.gguf': file });
  const plain = llama.newContext(CONTEXT, BATCH);
  llama.quantizesCache = true;
  const q8 = llama.newContext(CONTEXT, BATCH);
  return { llama, plain, q8 };
}

function family(name: FamilyName): Uint8Array {
  const random = seededRandom(36);
  return ggufOfFamily(name, () => (random() - 0.5) / 4);
}

/** Tells a context all tokens, in batches. */
function read(llama: LlamaInNode, context: number, tokens: number[]): void {
  for (let at = 0; at < tokens.length; at += BATCH) {
    llama.decode(context, tokens.slice(at, at + BATCH), at);
  }
}

const best = (logits: readonly number[]) => logits.indexOf(Math.max(...logits));

describe('a KV cache in Q8_0', () => {
  test('lets tiny-chat write the tokens that it writes without, from logits that hardly differ', async () => {
    const { llama, plain, q8 } = await openBoth(readTinyChat());
    const tokens = llama.tokenize(QUESTION);
    read(llama, plain, tokens);
    read(llama, q8, tokens);
    let most = 0;
    for (let step = 0; step < 64; step++) {
      const [expected, found] = [llama.logits(plain), llama.logits(q8)];
      for (const [token, logit] of expected.entries()) {
        most = Math.max(most, Math.abs(logit - (found[token] ?? Infinity)));
      }
      const next = best(expected);
      expect(best(found)).toBe(next);
      for (const context of [plain, q8]) llama.decode(context, [next], tokens.length + step);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(MOST_DIFFERENCE);
  });

  test('holds 1.9 times the tokens in the bytes of F16', async () => {
    const shape = { width: 256, heads: 4, cacheHeads: 4, isQuantised: true, contextLength: 4096 };
    const { llama, plain, q8 } = await openBoth(tinyGguf({ shape }));
    const added = (context: number) => {
      const longer = llama.newContext(CONTEXT + 1024, BATCH);
      return llama.module._lc_context_bytes(longer) - llama.module._lc_context_bytes(context);
    };
    const q8Bytes = added(q8);
    llama.quantizesCache = false;
    const ratio = added(plain) / q8Bytes;
    expect(ratio).toBeGreaterThan(1.8);
    expect(ratio).toBeLessThan(16 / 8.5);
  });

  test.each(FAMILY_NAMES)('computes a model of %s', async (name) => {
    const { llama, plain, q8 } = await openBoth(family(name));
    const tokens = llama.tokenize('The quick brown fox jumps over the lazy dog. '.repeat(3));
    read(llama, plain, tokens);
    read(llama, q8, tokens);
    const [expected, found] = [llama.logits(plain), llama.logits(q8)];
    const energy = (values: number[]) => values.reduce((sum, value) => sum + value ** 2, 0);
    const errors = expected.map((logit, token) => logit - (found[token] ?? Infinity));
    expect(energy(errors) / energy(expected)).toBeLessThan(1e-3);
  });

  test('gives copies, states, prefills and several conversations the bits that it has itself', async () => {
    const { llama, q8 } = await openBoth(family('gemma3'));
    const tokens = llama.tokenize('The other one of these.');
    const [start, rest] = [tokens.slice(0, -3), tokens.slice(-3)];
    read(llama, q8, start);
    const others = Array.from({ length: 3 }, () => llama.newContext(CONTEXT, BATCH));
    const [copied = -1, put = -1, begun = -1] = others;
    llama.copy(q8, copied);
    llama.putState(put, await llama.state(q8, 1000));
    llama.beginPrefill(begun, start);
    expect(llama.continuePrefill(begun)).toBe(0);
    llama.decode(q8, rest, start.length);
    const expected = llama.logits(q8);
    const told = others.map((context) => ({ context, tokens: rest, position: start.length }));
    expect(llama.decodeTogether(told)).toBe(0);
    for (const context of others) expect(llama.logits(context)).toEqual(expected);
  });

  test('takes no state of another type, and is then empty', async () => {
    const { llama, plain, q8 } = await openBoth(family('qwen3'));
    read(llama, plain, [1, 2, 3]);
    read(llama, q8, [1, 2, 3]);
    const states = [await llama.state(plain, 1 << 20), await llama.state(q8, 1 << 20)] as const;
    for (const [context, state] of [
      [plain, states[1]],
      [q8, states[0]],
    ] as const) {
      expect(() => llama.putState(context, state)).toThrow();
      expect(() => llama.decode(context, [1], 1)).toThrow('The KV cache has only 0 tokens.');
    }
  });

  test('is refused for heads that are no multiple of 32 values', async () => {
    const llama = await LlamaInNode.load({ '/model.gguf': tinyLlama() });
    llama.quantizesCache = true;
    expect(() => llama.newContext(64, 32)).toThrow(/^-1: .*block size 32/);
    llama.quantizesCache = false;
    expect(llama.decode(llama.newContext(64, 32), [1], 0)).toBe(0);
  });
});
