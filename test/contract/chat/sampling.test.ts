import { describe, expect, test } from 'vitest';
import { MODEL, openApi, type TestApi } from '../support/api.ts';

const ENDPOINTS = [
  ['/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
  ['/completions', { prompt: 'Hi' }],
] as const;

async function jobOf(api: TestApi, path: string, body: object) {
  const response = await api.post(path, { model: MODEL, ...body });
  expect(response.status).toBe(200);
  await response.text();
  return api.engine.last.job;
}

describe.each(ENDPOINTS)('%s', (path, base) => {
  test('passes every sampling parameter to the engine', async () => {
    const job = await jobOf(await openApi(), path, {
      ...base,
      temperature: 0,
      top_p: 0.9,
      seed: 1,
      max_tokens: 20,
      stop: ['x', 'y'],
      top_k: 40,
      min_p: 0.05,
      frequency_penalty: 0.1,
      presence_penalty: -0.2,
      repetition_penalty: 1.1,
      logit_bias: { 42: -100 },
    });
    expect(job).toMatchObject({ op: 'generate', model: MODEL, maxTokens: 20, stop: ['x', 'y'] });
    expect(job.sampling).toEqual({
      temperature: 0,
      topP: 0.9,
      topK: 40,
      minP: 0.05,
      seed: 1,
      frequencyPenalty: 0.1,
      presencePenalty: -0.2,
      repetitionPenalty: 1.1,
      logitBias: { 42: -100 },
    });
  });

  test('reads null as absent in every field', async () => {
    const fields = [
      ...['temperature', 'top_p', 'top_k', 'min_p', 'frequency_penalty', 'presence_penalty'],
      ...['repetition_penalty', 'logit_bias', 'seed', 'stop', 'stream', 'stream_options', 'n'],
      ...['max_tokens', 'max_completion_tokens', 'tools', 'tool_choice', 'functions', 'suffix'],
      ...['function_call', 'response_format', 'logprobs', 'top_logprobs', 'audio', 'modalities'],
      ...['reasoning_effort', 'chat_template_kwargs', 'echo', 'best_of', 'user', 'metadata'],
    ];
    const nulls = Object.fromEntries(fields.map((field) => [field, null]));
    const job = await jobOf(await openApi(), path, { ...base, ...nulls });
    expect(job).toMatchObject({ sampling: {}, stop: [] });
  });

  test('ignores unknown fields, and those that configure OpenAI’s own service', async () => {
    const job = await jobOf(await openApi(), path, {
      ...base,
      store: false,
      metadata: { a: 'b' },
      service_tier: 'auto',
      user: 'u',
      safety_identifier: 's',
      prompt_cache_key: 'p',
      verbosity: 'low',
      nobody: { knows: [1] },
      stream_options: { include_obfuscation: true },
    });
    expect(job).toMatchObject({ sampling: {}, stop: [] });
  });

  test.each([0, -1])('reads a top_k of %i as all tokens, as vLLM does', async (top_k) => {
    const job = await jobOf(await openApi(), path, { ...base, top_k });
    expect(job.sampling).toEqual({});
  });

  test('accepts one stop string, several or none, and skips empty ones', async () => {
    const api = await openApi();
    const stops = ['x', ['x'], [], ['', 'x', 'y', 'z']];
    const seen = [];
    for (const stop of stops) seen.push((await jobOf(api, path, { ...base, stop })).stop);
    expect(seen).toEqual([['x'], ['x'], [], ['x', 'y', 'z']]);
  });

  test('accepts the limits of every range', async () => {
    const api = await openApi();
    for (const end of [
      { temperature: 2, top_p: 1, frequency_penalty: 2, presence_penalty: 2 },
      { temperature: 0, top_p: 0, frequency_penalty: -2, presence_penalty: -2 },
      { max_tokens: 1, n: 1, repetition_penalty: 10, logit_bias: { 1: 100, 2: -100 } },
      { top_k: 1, min_p: 1 },
      { seed: -(2 ** 53) },
    ]) {
      await jobOf(api, path, { ...base, ...end });
    }
    expect(api.engine.runs).toHaveLength(5);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', undefined])(
    'reads JSON sent as %s',
    async (type) => {
      const api = await openApi();
      const headers = {
        authorization: `Bearer ${api.key}`,
        ...(type !== undefined && { 'content-type': type }),
      };
      const body = new Blob([JSON.stringify({ model: MODEL, ...base })]);
      expect((await api.post(path, '', { headers, body })).status).toBe(200);
    },
  );
});

test('max_completion_tokens is the newer name of max_tokens, and wins', async () => {
  const api = await openApi();
  const [path, base] = ENDPOINTS[0];
  const old = await jobOf(api, path, { ...base, max_tokens: 5 });
  const both = await jobOf(api, path, { ...base, max_tokens: 5, max_completion_tokens: 9 });
  const none = await jobOf(api, path, base);
  expect([old.maxTokens, both.maxTokens, none.maxTokens]).toEqual([5, 9, undefined]);
});
