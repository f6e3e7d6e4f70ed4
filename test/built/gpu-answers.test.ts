import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { outputConstraint } from '../../src/engine/conversation/constraint/output-constraint.ts';
import type { Generation } from '../../src/engine/conversation/text-model.ts';
import { MOST_OUTPUTS } from '../../src/engine/llamacpp/worker/llama.ts';
import { holdBatchSize, openOnGpu } from '../support/software-gpu/answers-on-gpu.ts';
import { softwareGpu } from '../support/software-gpu/software-gpu.ts';
import { tinyGguf } from '../support/gguf/tiny-gguf.ts';

// Shaders are compiled for the CPU here, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 900_000 });

const { gpu, missing } = await softwareGpu();

const DRAFTED = MOST_OUTPUTS - 1;
const GREEDY: Generation = {
  sampling: { temperature: 0 },
  random: { seed: 1, choice: 0, drawn: 0 },
  maxTokens: 8,
};
const SAMPLED: Generation = { ...GREEDY, sampling: { temperature: 0.8 } };
const constraint = outputConstraint('root ::= "{\\"city\\": " ("1" | "2") ", \\"days\\"" [0-9]');

/** A request of each kind. A token of the model is a byte. */
const REQUESTS: Record<string, [question: string, generation: Generation]> = {
  'a greedy one with log-probabilities': ['ababab', { ...GREEDY, topLogprobs: 3 }],
  'one under a grammar': ['say', { ...SAMPLED, maxTokens: 40, constraint }],
  'one with a wrong prediction': ['x', { ...GREEDY, prediction: 'something else' }],
  'a sampled one with penalties, min_p, top_p and a bias': [
    'abcabcabc',
    {
      ...GREEDY,
      sampling: {
        temperature: 0.8,
        minP: 0.01,
        topP: 0.9,
        frequencyPenalty: 1,
        repetitionPenalty: 1.2,
        logitBias: { 65: 3 },
      },
    },
  ],
  // The kernels of attention divide 257 tokens otherwise than 256.
  'one that goes beyond 256 tokens': ['ab'.repeat(102), { ...GREEDY, maxTokens: 18 }],
};

describe.skipIf(missing)('on a GPU', () => {
  let model: Awaited<ReturnType<typeof openOnGpu>>;
  beforeAll(async () => {
    model = await openOnGpu(tinyGguf({ shape: { layers: 1, isQuantised: true } }), gpu());
  });
  beforeEach(holdBatchSize);
  afterEach(() => vi.restoreAllMocks());

  test('answers are the same with drafts and without, to the last bit of their probabilities', async () => {
    const [without, drafting] = [model.answers(0), model.answers(DRAFTED)];
    const accepted = { forced: 0, lookup: 0, prediction: 0 };
    for (const [name, [question, generation]] of Object.entries(REQUESTS)) {
      const expected = await without(question, generation);
      const { answer, drafts } = await drafting(question, generation);
      expect(answer, name).toEqual(expected.answer);
      accepted.forced += drafts?.forced?.accepted ?? 0;
      accepted.lookup += drafts?.lookup?.accepted ?? 0;
    }
    expect(accepted.forced).toBeGreaterThan(10);
    expect(accepted.lookup).toBeGreaterThan(5);
    const sizes = model.batches.map(([batch]) => batch?.tokens.length);
    expect(new Set(sizes)).toEqual(new Set([1, 2, 3, 4]));
    // No batch had to be given up: ggml computes up to four tokens as it computes one.
    expect(model.decoder.mostAhead(0, 1)).toBe(3);
  });

  test('several answers at a time are what each is alone', async () => {
    const ask = model.answers(DRAFTED);
    const generations = [{ ...GREEDY, topLogprobs: 2 }, { ...GREEDY, constraint }, SAMPLED, GREEDY];
    /** The number of a request decides which KV caches it may use: none of these has one before. */
    const asked = (first: number) =>
      generations.map((generation, index) => () => {
        const caching = { client: 'one', request: first + index };
        return ask(`${index} ababab`, { ...generation, caching });
      });
    const before = model.batches.length;
    const together = await Promise.all(asked(1).map((request) => request()));
    const contexts = model.batches.slice(before).map(({ length }) => length);
    expect(Math.max(...contexts)).toBe(4);
    for (const [index, request] of asked(5).entries()) {
      const { answer } = await request();
      const { pieces, finish, counts } = together[index]?.answer ?? {};
      expect({ pieces, finish, counts }).toEqual(answer);
    }
  });

  test('a prompt begins after the copy at its breakpoint, for its own client only', async () => {
    const ask = model.answers(DRAFTED);
    const instructions = 'these are long instructions, ';
    const characters = `<|im_start|>user\n${instructions}`.length;
    /** The number of the request differs, so that it takes no other request's KV cache. */
    const asked = (client: string, request: number): Generation => ({
      ...GREEDY,
      maxTokens: 2,
      caching: { client, request, breakpoints: [{ characters, hours: 0 }] },
    });
    const first = await ask(`${instructions}ababab`, asked('one', 1));
    expect(first.answer.counts.cachedTokens).toBe(0);
    const again = await ask(`${instructions}abcabc`, asked('one', 2));
    expect(again.answer.counts.cachedTokens).toBeGreaterThan(instructions.length);
    const other = await ask(`${instructions}abcabc`, asked('two', 3));
    expect(other.answer.counts.cachedTokens).toBe(0);
    // Both have read the rest of the prompt as one batch, after the same beginning.
    expect(again.answer.pieces).toEqual(other.answer.pieces);
  });
});
