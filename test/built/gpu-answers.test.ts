import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { outputConstraint } from '../../src/engine/conversation/constraint/output-constraint.ts';
import type { Generation } from '../../src/engine/conversation/text-model.ts';
import { MOST_OUTPUTS } from '../../src/engine/llamacpp/worker/llama.ts';
import { holdBatchSize, openOnGpu } from '../support/software-gpu/answers-on-gpu.ts';
import { softwareGpu } from '../support/software-gpu/software-gpu.ts';
import { tinyGguf } from '../support/gguf/tiny-gguf.ts';

// Shaders are compiled for the CPU here, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 600_000 });
beforeEach(holdBatchSize);
afterEach(() => vi.restoreAllMocks());

const { gpu, missing } = await softwareGpu();

const MODEL = tinyGguf({ shape: { layers: 1, isQuantised: true } });
const GREEDY: Generation = {
  sampling: { temperature: 0 },
  random: { seed: 1, choice: 0, drawn: 0 },
  maxTokens: 10,
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
  // The kernels of attention divide 256 tokens otherwise than 257.
  'one that goes beyond 256 tokens': ['ab'.repeat(102), { ...GREEDY, maxTokens: 20 }],
};

function open(mostDrafted = MOST_OUTPUTS - 1) {
  return openOnGpu(MODEL, gpu(), mostDrafted);
}

describe.skipIf(missing)('on a GPU', () => {
  test('answers are the same with drafts and without, to the last bit of their probabilities', async () => {
    const [without, drafted] = [await open(0), await open()];
    const accepted = { forced: 0, lookup: 0, prediction: 0 };
    for (const [name, [question, generation]] of Object.entries(REQUESTS)) {
      const expected = await without.ask(question, generation);
      const { answer, drafts } = await drafted.ask(question, generation);
      expect(answer, name).toEqual(expected.answer);
      for (const [kind, counts] of Object.entries(drafts ?? {})) {
        accepted[kind as keyof typeof accepted] += counts.accepted;
      }
    }
    expect(accepted.forced).toBeGreaterThan(10);
    expect(accepted.lookup).toBeGreaterThan(0);
    // No batch had to be given up: ggml computes up to four tokens as it computes one.
    expect(drafted.decoder.mostAhead(0, 1)).toBe(3);
    expect(drafted.decode.mock.calls.length).toBeLessThan(without.decode.mock.calls.length);
  });

  test('several answers at a time are what each is alone', async () => {
    const { ask, decode } = await open();
    const questions = ['0 ababab', '1 say', '2 abcabcabc', '3 x'];
    const generations = [GREEDY, { ...GREEDY, constraint }, SAMPLED, { ...GREEDY, topLogprobs: 2 }];
    const asked = questions.map(
      (question, index) => [question, generations[index] ?? GREEDY] as const,
    );
    const together = await Promise.all(asked.map((each) => ask(...each)));
    expect(Math.max(...decode.mock.calls.map(([batches]) => batches.length))).toBe(4);
    const alone = await open();
    for (const [index, each] of asked.entries()) {
      const { answer } = await alone.ask(...each);
      expect(together[index]?.answer.pieces).toEqual(answer.pieces);
      expect(together[index]?.answer.finish).toEqual(answer.finish);
    }
  });

  test('a prompt begins after the copy at its breakpoint, for its own client only', async () => {
    const { ask } = await open();
    const instructions = 'these are long instructions, ';
    const breakpoints = [
      { characters: `<|im_start|>user\n${instructions}`.length, hours: 0 as const },
    ];
    const of = (client: string) => ({
      ...GREEDY,
      maxTokens: 2,
      caching: { client, breakpoints, request: 1 },
    });
    await ask(`${instructions}ababab`, of('one'));
    const again = await ask(`${instructions}abcabc`, {
      ...of('one'),
      caching: { ...of('one').caching, request: 2 },
    });
    // The last token before a breakpoint may be another one in another prompt.
    expect(again.answer.counts.cachedTokens).toBeGreaterThan(instructions.length);
    const other = await ask(`${instructions}abcabc`, {
      ...of('two'),
      caching: { ...of('two').caching, request: 3 },
    });
    expect(other.answer.counts.cachedTokens).toBe(0);
    const { ask: fresh } = await open();
    const expected = await fresh(`${instructions}abcabc`, {
      ...of('one'),
      caching: { ...of('one').caching, request: 1 },
    });
    expect(again.answer.pieces).toEqual(expected.answer.pieces);
  });
});
