import { describe, expect, test, vi } from 'vitest';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import { tinyGguf } from '../../support/gguf/tiny-gguf.ts';

// Compiling llama.cpp takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** llama.cpp's numbers of ways to pool. */
const [MEAN, FIRST, LAST] = [1, 2, 3];
const WIDTH = 64;
const MOST_TOKENS = 66;
const TEXTS = ['the cat', 'a dog is here', 'z'];

async function open(pooling: number) {
  const file = tinyGguf({ metadata: { 'llama.pooling_type': { u32: pooling } } });
  const llama = await LlamaInNode.load({ '/model.gguf': file });
  const context = llama.newEmbedder(MOST_TOKENS, TEXTS.length);
  return { llama, context, texts: TEXTS.map((text) => llama.tokenizeText(text)) };
}

describe.each([MEAN, FIRST, LAST])('pooling %i', (pooling) => {
  test('gives each of several texts the vector that it has alone', async () => {
    const { llama, context, texts } = await open(pooling);
    expect(llama.module._lc_pooling()).toBe(pooling);
    const together = llama.embed(context, texts);
    for (const [index, text] of texts.entries()) {
      const [alone = []] = llama.embed(context, [text]);
      expect(alone).toHaveLength(WIDTH);
      for (const [place, value] of alone.entries()) {
        expect(together[index]?.[place]).toBeCloseTo(value, 4);
      }
    }
  });
});

test('each way to pool gives another vector', async () => {
  const vectors = [];
  for (const pooling of [MEAN, FIRST, LAST]) {
    const { llama, context, texts } = await open(pooling);
    vectors.push(llama.embed(context, texts)[0]?.[0]);
  }
  expect(new Set(vectors).size).toBe(3);
});

test('texts that are too long, too many or without tokens are refused', async () => {
  const { llama, context } = await open(MEAN);
  expect(() => llama.embed(context, [Array<number>(MOST_TOKENS + 1).fill(5)])).toThrow(
    `${MOST_TOKENS} tokens`,
  );
  expect(() => llama.embed(context, [[5], [5], [5], [5]])).toThrow('1 to 3 texts');
  expect(() => llama.embed(context, [[]])).toThrow('no tokens');
  expect(llama.embed(context, [[5]])).toHaveLength(1);
});

test('a model that does not say how it pools is no embedder', async () => {
  const llama = await LlamaInNode.load({ '/model.gguf': tinyGguf() });
  expect(() => llama.newEmbedder(64, 1)).toThrow('how its vectors are pooled');
});
