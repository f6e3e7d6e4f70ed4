import { describe, expect, test } from 'vitest';
import type { Ending } from '../../../../../src/core/operations/jobs/jobs.ts';
import {
  needsSampler,
  Sampler,
  type SamplerOptions,
} from '../../../../../src/engine/conversation/sampling/sampler.ts';

type Parameters = SamplerOptions['sampling'];

function sampler(sampling: Partial<Parameters>, topLogprobs?: number) {
  return new Sampler({ sampling: { temperature: 1, ...sampling }, topLogprobs });
}

/** Ids of the tokens that are still possible. */
function left(logits: Float32Array): number[] {
  return [...logits.keys()].filter((id) => (logits[id] ?? 0) > -Infinity);
}

describe('top_k', () => {
  const logits = () => Float32Array.from([0, 3, 1, 2, 2]);

  test.each([
    [1, [1]],
    [2, [1, 3, 4]],
    [4, [1, 2, 3, 4]],
    [5, [0, 1, 2, 3, 4]],
    [100, [0, 1, 2, 3, 4]],
  ])('%i keeps the likeliest, and those that tie for the last place', (topK, expected) => {
    expect(left(sampler({ topK }).processLogits(logits()))).toEqual(expected);
  });

  test('counts only tokens that the grammar allows', () => {
    const masked = Float32Array.from([0, -3e38, 1, -3e38, -3e38]);
    const [first, , second] = sampler({ topK: 2 }).processLogits(masked);
    expect([first, second]).toEqual([0, 1]);
  });
});

describe('forced tokens', () => {
  const logits = () => Float32Array.from([0, 3, 1]);

  test('are the only ones possible, in their order; then the model is free', () => {
    const forcing = new Sampler({ sampling: { temperature: 0 }, forced: [2, 0] });
    for (const id of [2, 0]) {
      expect(forcing.isForced).toBe(true);
      expect(left(forcing.processLogits(logits()))).toEqual([id]);
      forcing.processSampledToken(id);
    }
    expect(forcing.isForced).toBe(false);
    expect(left(forcing.processLogits(logits()))).toEqual([0, 1, 2]);
  });

  test('have the probability that the model gives them', () => {
    const forcing = new Sampler({ sampling: { temperature: 0 }, forced: [2], topLogprobs: 1 });
    forcing.processLogits(logits());
    forcing.processSampledToken(2);
    const total = Math.log(1 + Math.exp(3) + Math.exp(1));
    expect(forcing.takeSampled()).toEqual([
      {
        id: 2,
        logprob: expect.closeTo(1 - total, 5),
        top: [[1, expect.closeTo(3 - total, 5)]],
      },
    ]);
  });

  test('need the sampler', () => {
    expect(needsSampler({ sampling: { temperature: 0 }, forced: [1] })).toBe(true);
  });
});

describe('min_p', () => {
  // Probabilities 0.5, 0.3, 0.15, 0.05.
  const logits = () => Float32Array.from([0.5, 0.3, 0.15, 0.05].map(Math.log));

  test.each([
    [0, 1, [0, 1, 2, 3]],
    [0.09, 1, [0, 1, 2, 3]],
    [0.11, 1, [0, 1, 2]],
    [0.59, 1, [0, 1]],
    [1, 1, [0]],
    // At temperature 2 the ratios are the roots of these, at 0.5 their squares.
    [0.31, 2, [0, 1, 2, 3]],
    [0.32, 2, [0, 1, 2]],
    [0.1, 0.5, [0, 1]],
  ])('of %d at temperature %d', (minP, temperature, expected) => {
    expect(left(sampler({ minP, temperature }).processLogits(logits()))).toEqual(expected);
  });
});

describe('bias and penalties', () => {
  test('come before top_k, which limits what is likely afterwards', () => {
    const limited = sampler({ topK: 1, logitBias: { 0: 10 } });
    expect(left(limited.processLogits(Float32Array.from([0, 5])))).toEqual([0]);
    const penalised = sampler({ topK: 1, presencePenalty: 2, frequencyPenalty: 1 });
    penalised.processLogits(Float32Array.from([3, 5]));
    penalised.processSampledToken(1);
    expect(left(penalised.processLogits(Float32Array.from([3, 5])))).toEqual([0]);
  });

  test('repetition_penalty divides positive logits and multiplies negative ones', () => {
    const penalised = sampler({ topK: 9, repetitionPenalty: 2 });
    penalised.processSampledToken(0);
    penalised.processSampledToken(1);
    expect([...penalised.processLogits(Float32Array.from([4, -4, 4]))]).toEqual([2, -8, 4]);
  });

  test('of presence count a token once, those of frequency each time', () => {
    const penalised = sampler({ topK: 9, presencePenalty: 0.5, frequencyPenalty: 0.25 });
    penalised.processSampledToken(0);
    penalised.processSampledToken(0);
    expect([...penalised.processLogits(Float32Array.from([4, 4]))]).toEqual([3, 4]);
  });
});

describe('logprobs', () => {
  const probabilities = [0.5, 0.3, 0.2];
  const logits = () => Float32Array.from(probabilities.map((p) => Math.log(p) + 7));
  const rounded = (sampled: Sampler) =>
    sampled
      .takeSampled()
      .map(({ id, logprob, top }) => [id, Math.exp(logprob), top.map(([token]) => token)]);

  test.each([0, 0.5, 2])(
    'are the model’s own at temperature %d, whatever else changes',
    (temperature) => {
      const asked = { temperature, topK: 1, minP: 0.9, logitBias: { 2: 100 }, presencePenalty: 2 };
      const own = sampler(asked, 2);
      for (const token of [2, 0]) {
        own.processLogits(logits());
        own.processSampledToken(token);
      }
      const closeTo = (p: number): unknown => expect.closeTo(p, 5);
      expect(rounded(own)).toEqual([
        [2, closeTo(0.2), [0, 1]],
        [0, closeTo(0.5), [0, 1]],
      ]);
      expect(own.takeSampled()).toEqual([]);
    },
  );

  test('are from before the grammar’s mask, if those logits were observed', () => {
    const own = sampler({}, 3);
    own.observe(logits());
    own.processLogits(Float32Array.from([-Infinity, -Infinity, 0]));
    own.processSampledToken(2);
    expect(rounded(own)).toEqual([[2, expect.closeTo(0.2, 5), [0, 1, 2]]]);
  });

  test('are not recorded unless they were asked for', () => {
    const own = sampler({ topK: 1 });
    own.processLogits(logits());
    own.processSampledToken(0);
    expect(own.takeSampled()).toEqual([]);
  });
});

test('the logits are copied to the CPU only for what WebLLM cannot do itself', () => {
  const needs = (sampling: Partial<Parameters>, topLogprobs?: number) =>
    needsSampler({ sampling: { temperature: 1, ...sampling }, topLogprobs });
  expect(needs({ topP: 0.5, seed: 1, logitBias: { 1: 1 }, presencePenalty: 1, minP: 0 })).toBe(
    false,
  );
  expect([needs({ topK: 5 }), needs({ minP: 0.1 }), needs({}, 0)]).toEqual([true, true, true]);
  // The likeliest token is sampled anyway.
  expect(needs({ topK: 5, minP: 0.1, temperature: 0 })).toBe(false);
});

describe('what ends the output', () => {
  const endingSampler = (ending: Ending) =>
    new Sampler({ sampling: { temperature: 1 }, ending, endTokenIds: [0] });

  test('is not sampled before there are enough tokens', () => {
    const late = endingSampler({ minTokens: 1, stopTokenIds: [2] });
    expect([...late.processLogits(Float32Array.of(1, 2, 3))]).toEqual([-Infinity, 2, -Infinity]);
    late.processSampledToken(1);
    expect([...late.processLogits(Float32Array.of(1, 2, 3))]).toEqual([1, 2, 3]);
  });

  test('may be a token of the request', () => {
    const stopped = endingSampler({ stopTokenIds: [2] });
    stopped.processSampledToken(1);
    expect(stopped.isEnded).toBe(false);
    stopped.processSampledToken(2);
    expect(stopped.isEnded).toBe(true);
  });

  test('needs the sampler only if it is not as usual', () => {
    const sampling = { temperature: 1 };
    expect(needsSampler({ sampling, ending: { ignoresEnd: true } })).toBe(false);
    expect(needsSampler({ sampling, ending: { minTokens: 1 } })).toBe(true);
    expect(needsSampler({ sampling, ending: { stopTokenIds: [1] } })).toBe(true);
  });
});
