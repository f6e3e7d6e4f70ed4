import { MLCEngine, type LogitProcessor } from '@mlc-ai/web-llm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Generation, RawEvent } from '../../../../src/engine/conversation/text-model.ts';
import { ConstraintError } from '../../../../src/engine/conversation/constraint/output-constraint.ts';
import { firstState } from '../../../../src/engine/conversation/sampling/random-numbers.ts';
import { WebLlmModel } from '../../../../src/engine/webllm/webllm-model.ts';
import { end, FakeMlcEngine, token } from '../../support/fakes/fake-mlc-engine.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

beforeEach(() => FakeMlcEngine.reset());

const PLAIN: Generation = {
  sampling: { temperature: 1 },
  random: { seed: 3, choice: 0, drawn: 0 },
};

async function generate(webllm: WebLlmModel, generation: Partial<Generation> = {}) {
  const { signal } = new AbortController();
  const events: RawEvent[] = [];
  const asked = { ...PLAIN, ...generation };
  await webllm.generate('Hi', asked, signal, (event) => events.push(event));
  return { events, request: FakeMlcEngine.last.requests.at(-1) };
}

describe('WebLLM is asked', () => {
  test('with every sampling parameter under its own name', async () => {
    const sampling = {
      temperature: 0,
      topP: 0.5,
      logitBias: { 7: -100 },
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      repetitionPenalty: 1.1,
    };
    const { request } = await generate(new WebLlmModel(MLCEngine), { sampling, maxTokens: 20 });
    expect(request).toMatchObject({
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 20,
      temperature: 0,
      top_p: 0.5,
      seed: firstState(PLAIN.random),
      logit_bias: { 7: -100 },
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      repetition_penalty: 1.1,
    });
  });

  test('for its own defaults if a parameter is missing', async () => {
    const { request } = await generate(new WebLlmModel(MLCEngine));
    expect(request).toMatchObject({ max_tokens: null, top_p: null, logit_bias: null });
  });

  test('for the likeliest token if top_p is 0, which WebLLM refuses', async () => {
    const { request } = await generate(new WebLlmModel(MLCEngine), {
      sampling: { temperature: 1, topP: 0 },
    });
    expect(request?.top_p).toBeGreaterThan(0);
    expect(request?.top_p).toBeLessThan(1e-9);
  });
});

test('under a grammar no control token is allowed, whatever the request’s bias', async () => {
  const webllm = new WebLlmModel(MLCEngine);
  const load = { modelLibrary: '', overrides: {}, stopTokenIds: [2] };
  const canAllocate = () => Promise.resolve(true);
  const rest = { prefixTokenIds: null, needsF16: false, canAllocate };
  await webllm.load({ ...load, ...rest }, () => undefined);
  const sampling = { temperature: 1, logitBias: { 5: 100, 7: 1 } };
  const constraint = { type: 'grammar' as const, grammar: 'root ::= "a"' };
  const hidden = new Map([
    [5, '<a>'],
    [6, '<b>'],
  ]);
  const free = await generate(webllm, { sampling });
  expect(free.request?.logit_bias).toEqual({ 5: 100, 7: 1 });
  const held = await generate(webllm, { sampling, constraint, hidden });
  expect(held.request?.logit_bias).toEqual({ 5: -100, 6: -100, 7: 1 });
});

describe('WebLLM’s chunks', () => {
  test('become text events and one finish event', async () => {
    const webllm = new WebLlmModel(MLCEngine);
    FakeMlcEngine.last.generate = async function* () {
      yield token('');
      yield token('Hel');
      yield token('lo');
      yield* end('length', 5, 2);
    };
    const { events } = await generate(webllm);
    expect(events).toEqual([
      { type: 'text', text: 'Hel', tokens: [], hides: false },
      { type: 'text', text: 'lo', tokens: [], hides: false },
      {
        type: 'finish',
        reason: 'length',
        usage: { promptTokens: 5, completionTokens: 2, cachedTokens: 0 },
      },
    ]);
  });

  test('are not awaited after the client has left', async () => {
    const webllm = new WebLlmModel(MLCEngine);
    const controller = new AbortController();
    FakeMlcEngine.last.generate = async function* () {
      yield token('Hello');
      controller.abort(new Error('enough'));
      yield token(' there');
    };
    const events: RawEvent[] = [];
    const emit = (event: RawEvent) => events.push(event);
    const answer = webllm.generate('Hi', PLAIN, controller.signal, emit);
    await expect(answer).rejects.toThrow('enough');
    expect(events).toHaveLength(1);
    expect(FakeMlcEngine.last.running).toBe(0);
  });
});

describe('the end of an output', () => {
  test('may be ignored by WebLLM', async () => {
    const { request } = await generate(new WebLlmModel(MLCEngine), {
      ending: { ignoresEnd: true },
    });
    expect(request?.ignore_eos).toBe(true);
  });

  test('may be a token of the request, which is not part of the text', async () => {
    const webllm = new WebLlmModel(MLCEngine);
    const fake = FakeMlcEngine.last;
    let processor: LogitProcessor | undefined;
    fake.generate = async function* () {
      processor = fake.processor;
      processor?.processSampledToken(1);
      yield token('Hel');
      processor?.processSampledToken(7);
      yield token('lo');
      if (fake.interrupts === 0) yield token(' there');
      yield* end('abort', 5, 2);
    };
    const { events } = await generate(webllm, { ending: { stopTokenIds: [7] } });
    expect(events).toMatchObject([
      { type: 'text', text: 'Hel' },
      { type: 'finish', reason: 'stop' },
    ]);
  });
});

describe('an output format', () => {
  const { signal } = new AbortController();
  const constraint = { type: 'grammar' as const, grammar: 'root ::= "a"' };

  test('is passed to WebLLM as it is', async () => {
    const webllm = new WebLlmModel(MLCEngine);
    await webllm.generate('Hi', { ...PLAIN, constraint }, signal, () => undefined);
    expect(FakeMlcEngine.last.requests.at(-1)?.response_format).toEqual(constraint);
  });

  test('whose grammar does not compile is distinguished from other failures', async () => {
    const webllm = new WebLlmModel(MLCEngine);
    FakeMlcEngine.last.generate = async function* () {
      yield* [];
      throw Object.assign(new Error('Aborted()'), { name: 'GrammarMatcherInitError' });
    };
    const answer = webllm.generate('Hi', { ...PLAIN, constraint }, signal, () => undefined);
    await expect(answer).rejects.toThrow(ConstraintError);
  });
});
