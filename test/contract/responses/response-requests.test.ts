import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { CALL, CITY, HI, RESULT, TIME, WEATHER } from './response-parts.ts';

async function jobOf(body: object) {
  const api = await openApi();
  const response = await api.post('/responses', { model: MODEL, input: 'Hi', ...body });
  expect(response.status, await response.text()).toBe(200);
  return api.engine.last.job;
}

async function messagesOf(body: object) {
  const { prompt } = await jobOf(body);
  return prompt.kind === 'chat' ? prompt.messages : [];
}

describe('the input', () => {
  test('is a text, or items', async () => {
    expect(await messagesOf({ input: 'Hi' })).toEqual([HI]);
    expect(await messagesOf({ input: [HI] })).toEqual([HI]);
  });

  test('follows the instructions', async () => {
    const system = { role: 'system', content: 'Be brief.' };
    expect(await messagesOf({ instructions: 'Be brief.' })).toEqual([system, HI]);
    expect(await messagesOf({ instructions: '' })).toEqual([HI]);
  });

  test('has messages of every role, with and without a type, and parts of every kind', async () => {
    const parts = [
      { type: 'input_text', text: 'a' },
      { type: 'output_text', text: 'b', annotations: [], logprobs: [] },
      { type: 'text', text: 'c' },
      { type: 'refusal', refusal: 'd' },
    ];
    const input = [
      { role: 'system', content: 'one' },
      { type: 'message', role: 'developer', content: 'two' },
      { role: 'user', content: parts, id: 'msg_1', status: 'completed' },
      { role: 'assistant', content: 'three', phase: 'final_answer' },
    ];
    expect(await messagesOf({ input })).toEqual([
      { role: 'system', content: 'one' },
      { role: 'system', content: 'two' },
      { role: 'user', content: 'abcd' },
      { role: 'assistant', content: 'three' },
    ]);
  });

  test('makes one message of what the assistant did in a row', async () => {
    const input = [
      HI,
      {
        id: 'rs_1',
        type: 'reasoning',
        summary: [],
        content: [{ type: 'reasoning_text', text: 'Hm.' }],
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Wait.' }] },
      CALL,
      { ...CALL, call_id: 'call_2', id: 'fc_2', status: 'completed', arguments: '' },
      { ...RESULT, status: 'completed' },
      { ...RESULT, call_id: 'call_2', output: [{ type: 'input_text', text: '20' }] },
      { role: 'assistant', content: 'It is sunny.' },
    ];
    const name = 'get_weather';
    expect(await messagesOf({ input })).toEqual([
      HI,
      {
        role: 'assistant',
        content: 'Wait.',
        reasoning: 'Hm.',
        toolCalls: [
          { id: 'call_1', name, arguments: '{"city":"Bern"}' },
          { id: 'call_2', name, arguments: '{}' },
        ],
      },
      { role: 'tool', content: 'sunny', name, toolCallId: 'call_1' },
      { role: 'tool', content: '20', name, toolCallId: 'call_2' },
      { role: 'assistant', content: 'It is sunny.' },
    ]);
  });

  test.each([
    { content: [{ type: 'reasoning_text', text: 'Hö.' }], summary: [] },
    { summary: [{ type: 'summary_text', text: 'Hö.' }] },
    { content: [], summary: [{ type: 'summary_text', text: 'Hö.' }] },
    { summary: [], encrypted_content: btoa('H\xc3\xb6.') },
  ])('has thoughts in any of their fields: %j', async (fields) => {
    const input = [HI, { type: 'reasoning', id: 'rs_1', ...fields }, CALL, RESULT];
    expect((await messagesOf({ input }))[1]).toMatchObject({ reasoning: 'Hö.' });
  });
});

describe('the other fields', () => {
  test('reach the engine', async () => {
    const sampling = { temperature: 0.5, top_p: 0.9, top_k: 5, min_p: 0.1, seed: 7 };
    const reasoning = { effort: 'low', summary: 'auto' };
    const job = await jobOf({
      ...sampling,
      stop: 'x',
      max_output_tokens: 50,
      reasoning,
      include: ['message.output_text.logprobs'],
      top_logprobs: 2,
      chat_template_kwargs: { a: 1 },
    });
    expect(job).toMatchObject({
      sampling: { temperature: 0.5, topP: 0.9, topK: 5, minP: 0.1, seed: 7 },
      stop: ['x'],
      maxTokens: 50,
      topLogprobs: 2,
      prompt: { templateOptions: { enable_thinking: true, reasoning_effort: 'low', a: 1 } },
    });
  });

  test.each([
    { text: {}, tools: [], include: [], reasoning: {}, metadata: {} },
    { text: null, tools: null, include: null, reasoning: null, metadata: null, truncation: null },
    { previous_response_id: null, user: '', service_tier: 'auto', max_tool_calls: 3 },
    { background: false, truncation: 'disabled', prompt_cache_key: 'k', safety_identifier: 's' },
    { text: { verbosity: 'low', format: { type: 'text' } }, stream_options: {} },
  ])('may ask for nothing: %j', async (body) => {
    const job = await jobOf(body);
    expect(job).toMatchObject({ prompt: { messages: [HI], templateOptions: {} }, stop: [] });
    expect(job).not.toHaveProperty('tools');
    expect(job).not.toHaveProperty('format');
  });

  test.each([
    [{ type: 'json_object' }, { type: 'json_object' }],
    [
      { type: 'json_schema', name: 'w', schema: CITY, strict: true },
      { type: 'json_schema', schema: CITY },
    ],
  ])('format the text: %j', async (format, asked) => {
    expect((await jobOf({ text: { format } })).format).toEqual(asked);
  });
});

describe('the tools', () => {
  const tools = [WEATHER, TIME];

  test('reach the engine with their schemas', async () => {
    const offer = (await jobOf({ tools, parallel_tool_calls: false })).tools;
    expect(offer).toEqual({
      tools: [
        { name: 'get_weather', parameters: CITY },
        {
          name: 'get_time',
          description: 'The time',
          parameters: { type: 'object', properties: {} },
        },
      ],
      choice: 'auto',
      parallel: false,
    });
  });

  test.each([
    ['none', { choice: 'none' }],
    ['required', { choice: 'required' }],
    [{ type: 'function', name: 'get_time' }, { choice: { name: 'get_time' } }],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'get_time' }] },
      { choice: 'required', allowed: ['get_time'] },
    ],
    [
      { type: 'allowed_tools', mode: 'auto', tools: [] },
      { choice: 'none', allowed: [] },
    ],
  ])('are used as tool_choice says: %j', async (tool_choice, offer) => {
    expect((await jobOf({ tools, tool_choice })).tools).toMatchObject(offer);
  });
});

test('truncation: auto lets the engine leave out the oldest turns', async () => {
  const api = await openApi();
  await (await api.post('/responses', { model: MODEL, input: 'Hi', truncation: 'auto' })).text();
  expect(api.engine.last.job.prompt).toMatchObject({ dropsOldest: true });
});
