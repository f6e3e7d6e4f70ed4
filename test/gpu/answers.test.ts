import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { LlamaOnGpu } from '../../models/llamacpp/llama-on-gpu.ts';
import { seededRandom } from '../../scripts/seeded-random.ts';
import { both, expectSameAnswer, Told } from '../support/software-gpu/on-both.ts';
import { checkedWeights, MOST_ERROR } from '../support/software-gpu/checked-weights.ts';
import { FAMILY_NAMES, ggufOfFamily } from '../support/gguf/gguf-families.ts';
import { QUANTISED_FORMATS } from '../support/gguf/quantised-blocks.ts';
import { softwareGpu } from '../support/software-gpu/software-gpu.ts';
import { tinyGguf } from '../support/gguf/tiny-gguf.ts';

// Shaders are compiled for the CPU here, and a token of SmolLM2 takes seconds on a busy machine.
vi.setConfig({ testTimeout: 1_800_000 });

const TINY_CHAT = new URL('../../models/packs/tiny-chat/tiny-chat-F32.gguf', import.meta.url);
/** Made by the first `npm start` or `npm test`. */
const SMOLLM2 = new URL(
  '../../.cache/packs/smollm2-135m/SmolLM2-135M-Instruct.Q4_1.gguf',
  import.meta.url,
);
/** The largest difference of a logit of tiny-chat from an F32 cache's was 0.16. */
const MOST_Q8_DIFFERENCE = 0.4;
const PROMPT = `<|im_start|>user\n${'What is the capital of France? '.repeat(6)}<|im_end|>\n<|im_start|>assistant\n`;

/** What the vocabulary of the small models has. */
const WORDS = 'a path of the forest that nobody knows';

const random = seededRandom(36);
const weight = () => (random() - 0.5) / 4;

const { gpu, missing } = await softwareGpu();

describe.skipIf(missing)('on a GPU', () => {
  // An emulated GPU has other kernels.
  describe.each([false, true])('that is emulated: %s', (isEmulated) => {
    const opened = () => ({ ...gpu(), isEmulated });

    test.each(QUANTISED_FORMATS)('products with $name are right', async (format) => {
      const llama = await LlamaOnGpu.open({ '/model.gguf': tinyGguf() }, opened());
      for (const tokens of [1, 32]) {
        expect(await llama.check(checkedWeights(format), tokens)).toBeLessThan(MOST_ERROR);
      }
    });

    test('tiny-chat writes the tokens that it writes on the CPU', async () => {
      await expectSameAnswer(await both(readFileSync(TINY_CHAT), opened()), PROMPT, 64);
    });
  });

  test.each(FAMILY_NAMES)(
    'a model like %s writes the tokens that it writes on the CPU',
    async (name) => {
      await expectSameAnswer(await both(ggufOfFamily(name, weight), gpu()), WORDS, 8);
    },
  );

  test('a copy of a KV cache in a context that is just large enough is as good as the cache', async () => {
    const { llama, context } = (await both(readFileSync(TINY_CHAT), gpu())).gpu;
    if (!(llama instanceof LlamaOnGpu)) throw new Error('There is no GPU.');
    const tokens = llama.tokenize(PROMPT);
    const [kept, rest] = [tokens.slice(0, 21), tokens.slice(21, 40)];
    await llama.compute(context, kept, 0, 1);
    const copy = llama.newContext(kept.length, 32);
    llama.copy(context, copy);
    await llama.compute(context, rest, kept.length, 1);
    const expected = llama.logits(context);
    // What was computed meanwhile is gone.
    await llama.compute(context, tokens.slice(40, 60), 0, 1);
    llama.copy(copy, context);
    await llama.compute(context, rest, kept.length, 1);
    expect(llama.logits(context)).toEqual(expected);
  });

  test('a KV cache in Q8_0 is computed on the GPU alone, and can be copied and kept', async () => {
    const { cpu, gpu: plain } = await both(readFileSync(TINY_CHAT), gpu());
    const { llama } = plain;
    if (!(llama instanceof LlamaOnGpu)) throw new Error('There is no GPU.');
    llama.quantizesCache = true;
    const q8 = new Told(llama);
    expect(llama.module._lc_is_whole(q8.context)).toBe(1);
    let tokens = llama.tokenize(PROMPT);
    for (let step = 0; step < 16; step++) {
      const [expected, found] = [await cpu.tell(tokens), await q8.tell(tokens)];
      const difference = Math.max(
        ...expected.map((logit, token) => Math.abs(logit - (found[token] ?? Infinity))),
      );
      expect(difference).toBeLessThan(MOST_Q8_DIFFERENCE);
      tokens = [found.indexOf(Math.max(...found))];
      expect(expected.indexOf(Math.max(...expected))).toBe(tokens[0]);
    }
    const [copied, put] = [new Told(llama), new Told(llama)];
    llama.copy(q8.context, copied.context);
    copied.end = q8.end;
    put.end = llama.putState(put.context, await llama.state(q8.context, 1000));
    const expected = await q8.tell(tokens);
    expect(await copied.tell(tokens)).toEqual(expected);
    expect(await put.tell(tokens)).toEqual(expected);
  });

  test.skipIf(!existsSync(SMOLLM2))('so does SmolLM2, with quantised weights', async () => {
    // A token takes seconds on a GPU in software.
    await expectSameAnswer(await both(readFileSync(SMOLLM2), gpu()), PROMPT, 64);
  });
});
