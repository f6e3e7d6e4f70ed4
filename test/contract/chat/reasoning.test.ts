import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { chunksOf, json, type ChatBody, type CompletionBody } from '../support/read.ts';
import { finish, text, USAGE, type Step } from '../support/test-engine.ts';

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };
const STEPS: Step[] = [
  { type: 'reasoning', text: 'Hm' },
  { type: 'reasoning', text: '.' },
  text('Yes'),
  finish('stop', { ...USAGE, reasoningTokens: 2 }),
];

describe('the thinking of a model', () => {
  test('is beside its answer, under both names', async () => {
    const api = await openApi();
    api.engine.next(...STEPS);
    const body = await json<ChatBody>(await api.post('/chat/completions', CHAT));
    expect(body.choices[0]?.message).toEqual({
      role: 'assistant',
      content: 'Yes',
      refusal: null,
      reasoning: 'Hm.',
      reasoning_content: 'Hm.',
    });
    expect(body.usage?.completion_tokens_details).toEqual({ reasoning_tokens: 2 });
  });

  test('streams before its answer, under both names', async () => {
    const api = await openApi();
    api.engine.next(...STEPS);
    const chunks = await chunksOf(await api.post('/chat/completions', { ...CHAT, stream: true }));
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning: 'Hm', reasoning_content: 'Hm' },
      { reasoning: '.', reasoning_content: '.' },
      { content: 'Yes' },
      {},
    ]);
  });

  test('is counted in the usage of a stream', async () => {
    const api = await openApi();
    api.engine.next(...STEPS);
    const body = { ...CHAT, stream: true, stream_options: { include_usage: true } };
    const chunks = await chunksOf(await api.post('/chat/completions', body));
    expect(chunks.at(-1)?.usage?.completion_tokens_details).toEqual({ reasoning_tokens: 2 });
  });

  test('is left out of a text completion', async () => {
    const api = await openApi();
    api.engine.next(...STEPS);
    const response = await api.post('/completions', { model: MODEL, prompt: 'Hi' });
    expect((await json<CompletionBody>(response)).choices[0]?.text).toBe('Yes');
  });
});

test('the answer of a model that does not think has no such fields', async () => {
  const api = await openApi();
  const response = await api.post('/chat/completions', CHAT);
  const body = await response.text();
  expect(body).not.toContain('reasoning');
});
