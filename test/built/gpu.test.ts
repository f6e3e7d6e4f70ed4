import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { LlamaInNode } from '../../models/llamacpp/llama-in-node.ts';
import { LlamaOnGpu } from '../../models/llamacpp/llama-on-gpu.ts';
import { both, expectSameAnswer, tellBoth, Told } from '../support/software-gpu/on-both.ts';
import { softwareGpu } from '../support/software-gpu/software-gpu.ts';
import { tinyGguf } from '../support/gguf/tiny-gguf.ts';
import { tinyRanker } from '../support/gguf/tiny-ranker.ts';

// Shaders are compiled for the CPU here, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const TINY_EMBED = new URL(
  '../../models/packs/tiny-embed-gguf/tiny-embed-F16.gguf',
  import.meta.url,
);

/** More tokens than two batches have. */
const PROMPT = 'the path of the forest that nobody knows; '.repeat(2);

const { gpu, missing } = await softwareGpu();

describe.skipIf(missing)('on a GPU', () => {
  // test/gpu has models that say something.
  test('a model writes the tokens that it writes on the CPU, after a prompt of several batches', async () => {
    await expectSameAnswer(await both(tinyGguf(), gpu()), PROMPT, 8);
  });

  test('so it does with the kernels for a GPU that is emulated', async () => {
    const emulated = { ...gpu(), isEmulated: true };
    await expectSameAnswer(await both(tinyGguf(), emulated), PROMPT, 8);
  });

  test('the KV cache goes back to an earlier token', async () => {
    const models = await both(tinyGguf(), gpu());
    const tokens = models.cpu.llama.tokenize('a path of the forest that nobody knows');
    await tellBoth(models, tokens);
    for (const each of Object.values(models)) each.keep(5);
    await tellBoth(models, tokens.slice(2));
  });

  test('contexts are copied, go on by themselves, and are freed', async () => {
    const models = await both(tinyGguf(), gpu());
    const tokens = models.cpu.llama.tokenize('a path of the forest that nobody knows');
    await tellBoth(models, tokens);
    const copies = {
      cpu: new Told(models.cpu.llama),
      gpu: new Told(models.gpu.llama),
    };
    for (const name of ['cpu', 'gpu'] as const) {
      const [from, to] = [models[name], copies[name]];
      // What was there before is gone.
      await to.tell([1, 2, 3]);
      from.llama.copy(from.context, to.context);
      to.end = from.end;
    }
    for (const token of [7, 8, 9, 10, 11]) {
      await tellBoth(models, [token]);
      await tellBoth(copies, [token + 20]);
    }
    for (const { llama, context } of Object.values(models)) llama.module._lc_free_context(context);
    await tellBoth(copies, [30]);
  });

  test('what a KV cache holds goes on in another context, on the CPU as on the GPU', async () => {
    const models = await both(tinyGguf(), gpu());
    const tokens = models.cpu.llama.tokenize('a path of the forest that nobody knows');
    await tellBoth(models, tokens);
    const others = {
      cpu: new Told(models.cpu.llama),
      gpu: new Told(models.gpu.llama),
    };
    for (const name of ['cpu', 'gpu'] as const) {
      const [from, to] = [models[name], others[name]];
      await to.tell([1, 2, 3]);
      const pieces = await from.llama.state(from.context, 1000);
      expect(pieces.length).toBeGreaterThan(2);
      to.end = to.llama.putState(to.context, pieces);
      expect(to.end).toBe(from.end);
    }
    for (const token of [7, 8, 9]) {
      await tellBoth(models, [token]);
      await tellBoth(others, [token + 20]);
    }
  });

  test('an embedder gives the vectors that it gives on the CPU', async () => {
    const file = readFileSync(TINY_EMBED);
    const cpu = await LlamaInNode.load({ '/model.gguf': file });
    const llama = await LlamaOnGpu.open({ '/model.gguf': file }, gpu());
    const texts = ['The cat sleeps.', 'Where is the train station?', 'z'].map((text) =>
      cpu.tokenizeText(text),
    );
    const expected = cpu.embed(cpu.newEmbedder(96, 3), texts);
    const found = await llama.embedTexts(llama.newEmbedder(96, 3), texts);
    for (const [text, vector] of expected.entries()) {
      const size = Math.hypot(...vector);
      const difference = Math.hypot(...vector.map((value, i) => value - (found[text]?.[i] ?? NaN)));
      expect(difference / size).toBeLessThan(5e-3);
    }
  });

  test('a cross-encoder gives the scores that it gives on the CPU', async () => {
    const file = tinyRanker();
    const cpu = await LlamaInNode.load({ '/model.gguf': file });
    const llama = await LlamaOnGpu.open({ '/model.gguf': file }, gpu());
    // <s> what is red </s> </s> the apple is red </s>, and a shorter pair.
    const pairs = [
      [0, 4, 5, 6, 2, 2, 8, 10, 5, 6, 2],
      [0, 7, 2, 2, 9, 2],
    ];
    const expected = cpu.embed(cpu.newEmbedder(96, 3), pairs);
    const context = llama.newEmbedder(96, 3);
    const found = await llama.embedTexts(context, pairs);
    expect(llama.module._lc_is_whole(context)).toBe(1);
    for (const [pair, [score = NaN]] of expected.entries()) {
      expect(found[pair]?.[0]).toBeCloseTo(score, 2);
    }
  });

  test('weights are not in the memory of the module', async () => {
    const file = tinyGguf({ shape: { width: 512, innerWidth: 2048, layers: 6 } });
    const llama = await LlamaOnGpu.open({ '/model.gguf': file }, gpu());
    expect(llama.module._lc_weight_bytes()).toBeGreaterThan(80e6);
    expect(llama.module.HEAPU8.length).toBeLessThan(60e6);
  });
});
