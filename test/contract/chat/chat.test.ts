import { describe, expect, test } from 'vitest';
import type { TemplateMessage } from '../../../src/core/operations/jobs/jobs.ts';
import { MODEL, openApi } from '../support/api.ts';
import { json, type ChatBody } from '../support/read.ts';
import { finish, text } from '../support/test-engine.ts';
import { VERSION } from '../../../src/core/version.ts';

const MESSAGES = [{ role: 'user', content: 'Hi' }];

async function promptOf(messages: unknown, rest = {}) {
  const api = await openApi();
  const response = await api.post('/chat/completions', { model: MODEL, messages, ...rest });
  expect(response.status).toBe(200);
  await response.text();
  const { prompt } = api.engine.last.job;
  if (prompt.kind !== 'chat') throw new Error('Not a chat prompt.');
  return prompt;
}

describe('a chat completion', () => {
  test('is one JSON object with the whole answer', async () => {
    const api = await openApi();
    const before = Math.floor(Date.now() / 1000);
    const response = await api.post('/chat/completions', { model: MODEL, messages: MESSAGES });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const body = await json<ChatBody>(response);
    expect(body).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: MODEL,
      system_fingerprint: `slashv1-${VERSION}-webllm`,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello there', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 7,
        completion_tokens: 3,
        total_tokens: 10,
        prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 0 },
      },
    });
    expect(body.created - before).toBeLessThanOrEqual(1);
  });

  test('without any text has content ""', async () => {
    const api = await openApi();
    api.engine.next(finish());
    const response = await api.post('/chat/completions', { model: MODEL, messages: MESSAGES });
    const body = await json<ChatBody>(response);
    expect(body.choices[0]?.message.content).toBe('');
  });

  test('reports that the token limit cut it', async () => {
    const api = await openApi();
    api.engine.next(text('Once upon'), finish('length'));
    const response = await api.post('/chat/completions', { model: MODEL, messages: MESSAGES });
    const body = await json<ChatBody>(response);
    expect(body.choices[0]?.finish_reason).toBe('length');
  });

  test('has an id of its own', async () => {
    const api = await openApi();
    const body = { model: MODEL, messages: MESSAGES };
    const ids = await Promise.all(
      [1, 2].map(async () => (await json<ChatBody>(await api.post('/chat/completions', body))).id),
    );
    expect(new Set(ids).size).toBe(2);
  });
});

describe('messages', () => {
  test('keep their order; developer becomes system, names stay', async () => {
    const { messages } = await promptOf([
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'Hi', name: 'ann' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Bye' },
    ]);
    expect(messages).toEqual<TemplateMessage[]>([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi', name: 'ann' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Bye' },
    ]);
  });

  test('in parts are joined as they are', async () => {
    const content = [
      { type: 'text', text: 'one ' },
      { type: 'text', text: 'two' },
    ];
    const { messages } = await promptOf([{ role: 'user', content }]);
    expect(messages).toEqual([{ role: 'user', content: 'one two' }]);
  });

  test('of the assistant may be refusals', async () => {
    const content = [{ type: 'refusal', refusal: 'No.' }];
    const { messages } = await promptOf([...MESSAGES, { role: 'assistant', content }]);
    expect(messages.at(-1)).toEqual({ role: 'assistant', content: 'No.' });
  });

  test.each([{ content: null }, {}, { content: null, tool_calls: null }, { tool_calls: [] }])(
    'of the assistant may have no content: %j',
    async (rest) => {
      const { messages } = await promptOf([...MESSAGES, { role: 'assistant', ...rest }]);
      expect(messages.at(-1)).toEqual({ role: 'assistant', content: '' });
    },
  );

  test('may follow each other in one role', async () => {
    const { messages } = await promptOf([...MESSAGES, ...MESSAGES]);
    expect(messages).toHaveLength(2);
  });

  test('may have keys that mean nothing here', async () => {
    const { messages } = await promptOf([{ ...MESSAGES[0], refusal: null, weight: 1 }]);
    expect(messages).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  test.each([
    [{ reasoning_effort: 'none' }, { enable_thinking: false, reasoning_effort: 'none' }],
    [{ reasoning_effort: 'minimal' }, { enable_thinking: false, reasoning_effort: 'minimal' }],
    [{ reasoning_effort: 'high' }, { enable_thinking: true, reasoning_effort: 'high' }],
    [{ chat_template_kwargs: { enable_thinking: false } }, { enable_thinking: false }],
    [{ reasoning_effort: null, chat_template_kwargs: null }, {}],
  ])('with %j render with %j', async (request, options) => {
    expect((await promptOf(MESSAGES, request)).templateOptions).toEqual(options);
  });
});
