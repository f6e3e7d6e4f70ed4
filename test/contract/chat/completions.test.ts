import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { chunksOf, dataOf, json, type CompletionBody } from '../support/read.ts';
import { apiError, finish, text } from '../support/test-engine.ts';
import { VERSION } from '../../../src/core/version.ts';

const BODY = { model: MODEL, prompt: 'Once upon' };

describe('a text completion', () => {
  test('is one JSON object with the whole text', async () => {
    const api = await openApi();
    const response = await api.post('/completions', BODY);
    expect(response.status).toBe(200);
    expect(await json<CompletionBody>(response)).toEqual({
      id: expect.stringMatching(/^cmpl-[0-9a-f]{32}$/),
      object: 'text_completion',
      created: expect.any(Number),
      model: MODEL,
      system_fingerprint: `slashv1-${VERSION}-webllm`,
      choices: [{ text: 'Hello there', index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 7,
        completion_tokens: 3,
        total_tokens: 10,
        prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 0 },
      },
    });
  });

  test.each(['Once upon', ['Once upon']])('passes the prompt %j on unchanged', async (prompt) => {
    const api = await openApi();
    await (await api.post('/completions', { ...BODY, prompt })).text();
    expect(api.engine.last.job.prompt).toEqual({ kind: 'raw', text: 'Once upon' });
  });

  test('is at most 16 tokens long by default, as with OpenAI', async () => {
    const api = await openApi();
    await (await api.post('/completions', BODY)).text();
    expect(api.engine.last.job.maxTokens).toBe(16);
  });

  test('accepts fields of missing features that ask for nothing', async () => {
    const api = await openApi();
    const nothing = { n: 1, best_of: 1, echo: false, suffix: '' };
    expect((await api.post('/completions', { ...BODY, ...nothing })).status).toBe(200);
  });
});

describe('a streamed text completion', () => {
  test('is text_completion objects, the last one with the reason', async () => {
    const api = await openApi();
    const response = await api.post('/completions', { ...BODY, stream: true });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const chunks = await chunksOf<CompletionBody>(response);
    expect(chunks.map(({ object }) => object)).toEqual(Array(3).fill('text_completion'));
    expect(chunks.map(({ choices }) => choices)).toEqual([
      [{ text: 'Hello', index: 0, logprobs: null, finish_reason: null }],
      [{ text: ' there', index: 0, logprobs: null, finish_reason: null }],
      [{ text: '', index: 0, logprobs: null, finish_reason: 'stop' }],
    ]);
    expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(
      1,
    );
  });

  test('with include_usage has a usage chunk last, and null on all others', async () => {
    const api = await openApi();
    const body = { ...BODY, stream: true, stream_options: { include_usage: true } };
    const chunks = await chunksOf<CompletionBody>(await api.post('/completions', body));
    expect(chunks.map(({ usage }) => usage?.total_tokens ?? null)).toEqual([null, null, null, 10]);
    expect(chunks.at(-1)?.choices).toEqual([]);
  });

  test('that fails in the middle ends with an error event and no [DONE]', async () => {
    const api = await openApi();
    api.engine.next(text('He'), apiError(500, 'server_error', 'timeout'), finish());
    const data = await dataOf(await api.post('/completions', { ...BODY, stream: true }));
    expect(JSON.parse(data.at(-1) ?? '')).toMatchObject({ error: { code: 'timeout' } });
  });
});
