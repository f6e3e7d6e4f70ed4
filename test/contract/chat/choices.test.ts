import { describe, expect, test } from 'vitest';
import { serverError } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi } from '../support/api.ts';
import { errorOf, json, type ChatBody, type CompletionBody } from '../support/read.ts';
import { finish, HANG, text } from '../support/test-engine.ts';

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], n: 2 };
const COMPLETION = { model: MODEL, prompt: 'Hi', n: 2 };
const first = { promptTokens: 9, completionTokens: 3, cachedTokens: 4, reasoningTokens: 1 };
const second = { promptTokens: 9, completionTokens: 5, cachedTokens: 0, reasoningTokens: 2 };
const answers = [text('a'), text('b'), finish('stop', first), text('c'), finish('length', second)];

describe('n answers', () => {
  test('are choices with their index, of one job', async () => {
    const api = await openApi();
    api.engine.next(...answers);
    const body = await json<ChatBody>(await api.post('/chat/completions', CHAT));
    expect(body.choices).toMatchObject([
      { index: 0, message: { content: 'ab' }, finish_reason: 'stop' },
      { index: 1, message: { content: 'c' }, finish_reason: 'length' },
    ]);
    expect(api.engine.runs.map(({ job }) => job.choices)).toEqual([2]);
  });

  test('count their prompt once, and all completion tokens', async () => {
    const api = await openApi();
    api.engine.next(...answers);
    const { usage } = await json<ChatBody>(await api.post('/chat/completions', CHAT));
    expect(usage).toEqual({
      prompt_tokens: 9,
      completion_tokens: 8,
      total_tokens: 17,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 3 },
    });
  });

  test('work for text completions too, with best_of equal to n', async () => {
    const api = await openApi();
    api.engine.next(...answers);
    const body = await json<CompletionBody>(
      await api.post('/completions', { ...COMPLETION, best_of: 2 }),
    );
    expect(body.choices).toEqual([
      { text: 'ab', index: 0, logprobs: null, finish_reason: 'stop' },
      { text: 'c', index: 1, logprobs: null, finish_reason: 'length' },
    ]);
    expect(body.usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 8 });
  });

  test('fail together when one fails', async () => {
    const api = await openApi();
    const failure = serverError('out_of_memory', 'It is full.');
    api.engine.next(failure);
    expect(await errorOf(await api.post('/chat/completions', CHAT))).toMatchObject({ status: 500 });
    api.engine.next(text('a'), finish(), failure);
    const error = await errorOf(await api.post('/chat/completions', CHAT));
    expect(error).toMatchObject({ status: 500, code: 'out_of_memory' });
  });

  test('fail when the engine ends after the first', async () => {
    const api = await openApi();
    api.engine.next(text('a'), finish());
    expect(await errorOf(await api.post('/chat/completions', CHAT))).toMatchObject({ status: 500 });
  });

  test('all end when the client hangs up', async () => {
    const api = await openApi({ graceMs: { stream: 0, json: 0 } });
    api.engine.next(text('a'), finish(), HANG);
    const response = await api.post('/chat/completions', CHAT);
    await response.body?.cancel();
    await expect.poll(() => api.engine.last.ended).toBe(true);
  });
});
