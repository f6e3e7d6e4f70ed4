import { describe, expect, test } from 'vitest';
import { MODEL, openApi, SPEECH_MODEL } from './api.ts';
import { errorOf } from './read.ts';

const HI = { role: 'user', content: 'Hi' };
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const WEATHER = { type: 'function', name: 'get_weather', parameters: CITY };
const TIME = { type: 'function', name: 'get_time', description: 'The time', strict: null };
const CALL = {
  type: 'function_call',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: '{"city":"Bern"}',
};
const RESULT = { type: 'function_call_output', call_id: 'call_1', output: 'sunny' };

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

async function refusal(body: object) {
  const api = await openApi();
  const request = { model: MODEL, input: 'Hi', ...body };
  const error = await errorOf(await api.post('/responses', request));
  expect(api.engine.runs).toEqual([]);
  return error;
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

const FAULTS: [object, string][] = [
  [{ input: 7 }, 'input'],
  [{ input: null }, 'input'],
  [{ input: ['Hi'] }, 'input[0]'],
  [{ input: [{ content: 'Hi' }] }, 'input[0].role'],
  [{ input: [{ type: 7 }] }, 'input[0].type'],
  [{ input: [{ role: 'tool', content: 'Hi' }] }, 'input[0].role'],
  [{ input: [{ role: 'user' }] }, 'input[0].content'],
  [{ input: [{ role: 'user', content: 7 }] }, 'input[0].content'],
  [{ input: [{ role: 'user', content: ['Hi'] }] }, 'input[0].content[0]'],
  [{ input: [{ role: 'user', content: [{ type: 'input_text' }] }] }, 'input[0].content[0].text'],
  [{ input: [HI, { ...CALL, call_id: null }] }, 'input[1].call_id'],
  [{ input: [HI, { ...CALL, name: undefined }] }, 'input[1].name'],
  [{ input: [HI, { ...CALL, arguments: '{ci' }] }, 'input[1].arguments'],
  [{ input: [HI, { ...CALL, arguments: '[]' }] }, 'input[1].arguments'],
  [{ input: [HI, RESULT] }, 'input[1].call_id'],
  [{ input: [HI, CALL, { ...RESULT, call_id: 'x' }] }, 'input[2].call_id'],
  [{ input: [HI, CALL, { ...RESULT, output: undefined }] }, 'input[2].output'],
  [{ input: [{ type: 'reasoning', encrypted_content: '!' }] }, 'input[0].encrypted_content'],
  [{ tools: [{ ...WEATHER, name: 'get weather' }] }, 'tools[0].name'],
  [{ tools: [WEATHER, WEATHER] }, 'tools[1].name'],
  [{ tools: [{ name: 'f' }] }, 'tools[0].type'],
  [{ tool_choice: 'required' }, 'tool_choice'],
  [{ tools: [WEATHER], tool_choice: 'any' }, 'tool_choice'],
  [{ tools: [WEATHER], tool_choice: { type: 'function' } }, 'tool_choice.name'],
  [{ tools: [WEATHER], tool_choice: { type: 'function', name: 'x' } }, 'tool_choice'],
  [
    {
      tools: [WEATHER],
      tool_choice: { type: 'allowed_tools', tools: [{ type: 'function', name: 'x' }] },
    },
    'tool_choice',
  ],
  [{ text: { format: { type: 'xml' } } }, 'text.format.type'],
  [{ text: { format: { type: 'json_schema', name: 'w' } } }, 'text.format.schema'],
  [{ max_output_tokens: 0 }, 'max_output_tokens'],
  [{ top_logprobs: 21 }, 'top_logprobs'],
  [{ include: 'all' }, 'include'],
  [{ reasoning: { effort: 'huge' } }, 'reasoning.effort'],
  [{ metadata: { a: 1 } }, 'metadata'],
  [{ truncation: 'yes' }, 'truncation'],
  [{ store: 'no' }, 'store'],
];

const LACKS: [object, string][] = [
  [{ input: [{ type: 'web_search_call', id: 'ws_1', output: {} }] }, 'input[0].type'],
  [
    { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
    'input[0].content[0].type',
  ],
  [
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:,' }] }] },
    'input[0].content[0].image_url',
  ],
  [{ tools: [WEATHER, { type: 'file_search', name: 7 }] }, 'tools[1].type'],
  [{ tools: [WEATHER], tool_choice: { type: 'web_search' } }, 'tool_choice.type'],
  [
    { tools: [WEATHER], tool_choice: { type: 'allowed_tools', tools: [{ type: 'mcp' }] } },
    'tool_choice.tools[0].type',
  ],
  [{ background: true }, 'background'],
  [{ conversation: 'conv_1' }, 'conversation'],
  [{ prompt: { id: 'p' } }, 'prompt'],
  [{ moderation: {} }, 'moderation'],
];

describe('a request', () => {
  test.each(FAULTS)('%j is refused', async (body, param) => {
    const error = await refusal(body);
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', code: null, param });
    expect(error.message).toContain(`'${param}'`);
  });

  test.each(LACKS)('%j asks for a missing feature', async (body, param) => {
    expect(await refusal(body)).toMatchObject({ status: 400, code: 'unsupported_value', param });
  });

  test('without input items is refused', async () => {
    const error = await refusal({ input: [] });
    expect(error).toMatchObject({ status: 400, code: 'empty_array', param: 'input' });
  });

  test('whose schemas cannot be enforced is refused with their path', async () => {
    const schema = { type: 'thing' };
    const format = { type: 'json_schema', name: 'w', schema };
    expect(await refusal({ text: { format } })).toMatchObject({
      status: 400,
      code: 'invalid_json_schema',
      param: 'text.format.schema.type',
    });
    const parameters = { properties: { a: schema } };
    expect(
      await refusal({ tools: [WEATHER, { ...TIME, parameters, strict: true }] }),
    ).toMatchObject({
      code: 'invalid_json_schema',
      param: 'tools[1].parameters.properties.a.type',
    });
  });

  test('for a model that speaks is refused', async () => {
    expect(await refusal({ model: SPEECH_MODEL })).toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'model',
    });
  });
});

test('truncation: auto lets the engine leave out the oldest turns', async () => {
  const api = await openApi();
  await (await api.post('/responses', { model: MODEL, input: 'Hi', truncation: 'auto' })).text();
  expect(api.engine.last.job.prompt).toMatchObject({ dropsOldest: true });
});
