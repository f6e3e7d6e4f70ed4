import { describe, expect, test } from 'vitest';
import { BREAKPOINTS } from '../../../src/core/operations/prompt-caching.ts';
import { MODEL, openApi, SPEECH_MODEL } from '../support/api.ts';
import { errorOf } from '../support/read.ts';

const HI = { role: 'user', content: 'Hi' };
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const WEATHER = { name: 'get_weather', input_schema: CITY };
const USE = { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Bern' } };
const RESULT = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'sunny' };
const FORMAT = { format: { type: 'json_schema', schema: CITY } };

const asked = (...blocks: unknown[]) => [HI, { role: 'assistant', content: blocks }];
const answered = (...blocks: unknown[]) => [...asked(USE), { role: 'user', content: blocks }];

async function jobOf(body: object) {
  const api = await openApi();
  const base = { model: MODEL, max_tokens: 50, messages: [HI] };
  const response = await api.post('/messages', { ...base, ...body });
  expect(response.status, await response.text()).toBe(200);
  return api.engine.last.job;
}

async function messagesOf(body: object) {
  const { prompt } = await jobOf(body);
  return prompt.kind === 'chat' ? prompt.messages : [];
}

async function refusal(body: object) {
  const api = await openApi();
  const base = { model: MODEL, max_tokens: 50, messages: [HI] };
  const error = await errorOf(await api.post('/messages', { ...base, ...body }));
  expect(api.engine.runs).toEqual([]);
  return error;
}

describe('the messages', () => {
  test('follow the system text', async () => {
    const system = { role: 'system', content: 'Be brief.' };
    expect(await messagesOf({ system: 'Be brief.' })).toEqual([system, HI]);
    const blocks = ['x-anthropic-billing-header: cc_version=1', 'Be brief.', 'Be kind.'];
    expect(await messagesOf({ system: blocks.map((text) => ({ type: 'text', text })) })).toEqual([
      { role: 'system', content: 'Be brief.\n\nBe kind.' },
      HI,
    ]);
    expect(await messagesOf({ system: '' })).toEqual([HI]);
  });

  test('have text as a string or in blocks', async () => {
    const content = [
      { type: 'text', text: 'one', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'two' },
    ];
    expect(await messagesOf({ messages: [{ role: 'user', content }] })).toEqual([
      { role: 'user', content: `one${BREAKPOINTS.short}\n\ntwo` },
    ]);
    const told = { role: 'system', content: 'Told later.' };
    expect(await messagesOf({ messages: [HI, told] })).toEqual([HI, told]);
  });

  test('have calls and their results, which come before the rest of a turn', async () => {
    const messages = [
      ...asked(
        { type: 'thinking', thinking: 'Hm.', signature: 'any' },
        { type: 'redacted_thinking', data: '…' },
        { type: 'text', text: 'Wait.' },
        USE,
        { ...USE, id: 'toolu_2', input: {} },
      ),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And?' },
          RESULT,
          {
            type: 'tool_result',
            tool_use_id: 'toolu_2',
            is_error: true,
            content: [
              { type: 'text', text: 'not' },
              { type: 'text', text: 'found' },
            ],
          },
        ],
      },
    ];
    const name = 'get_weather';
    expect(await messagesOf({ messages })).toEqual([
      HI,
      {
        role: 'assistant',
        content: 'Wait.',
        reasoning: 'Hm.',
        toolCalls: [
          { id: 'toolu_1', name, arguments: '{"city":"Bern"}' },
          { id: 'toolu_2', name, arguments: '{}' },
        ],
      },
      { role: 'tool', content: 'sunny', name, toolCallId: 'toolu_1' },
      { role: 'tool', content: 'Error: not\n\nfound', name, toolCallId: 'toolu_2' },
      { role: 'user', content: 'And?' },
    ]);
  });

  test('may end with an answer that is begun', async () => {
    const { prompt } = await jobOf({ messages: [HI, { role: 'assistant', content: 'The sky' }] });
    expect(prompt).toMatchObject({ continuesFinal: true, messages: [HI, { content: 'The sky' }] });
    expect((await jobOf({})).prompt).not.toHaveProperty('continuesFinal');
  });
});

describe('the other fields', () => {
  test('reach the engine', async () => {
    const job = await jobOf({
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stop_sequences: ['a', 'b', 'c', 'd', 'e'],
      thinking: { type: 'enabled', budget_tokens: 1024 },
      output_config: { effort: 'low' },
    });
    expect(job).toMatchObject({
      sampling: { temperature: 0.5, topP: 0.9, topK: 5 },
      stop: ['a', 'b', 'c', 'd', 'e'],
      maxTokens: 50,
      maxThinkingTokens: 1024,
      prompt: { templateOptions: { enable_thinking: true, reasoning_effort: 'low' } },
    });
  });

  test.each([
    [{ thinking: { type: 'disabled' } }, { enable_thinking: false }],
    [{ thinking: { type: 'adaptive' } }, { enable_thinking: true }],
    [{}, {}],
  ])('%j gives the template %j', async (body, templateOptions) => {
    expect((await jobOf(body)).prompt).toMatchObject({ templateOptions });
  });

  test('are ignored if there is nothing to do', async () => {
    const job = await jobOf({
      metadata: { user_id: 'u' },
      service_tier: 'auto',
      inference_geo: 'us',
      speed: 'fast',
      cache_control: { type: 'ephemeral' },
      mcp_servers: [],
      tools: [],
      system: null,
      user_profile_id: 'u',
      workspace_id: 'w',
      diagnostics: {},
    });
    expect(job).not.toHaveProperty('tools');
  });

  test('hold the answer to a schema', async () => {
    expect((await jobOf({ output_config: FORMAT })).format).toEqual({
      type: 'json_schema',
      schema: CITY,
    });
  });
});

test.each([
  [undefined, { choice: 'auto', parallel: true }],
  [
    { type: 'auto', disable_parallel_tool_use: true },
    { choice: 'auto', parallel: false },
  ],
  [{ type: 'any' }, { choice: 'required' }],
  [{ type: 'tool', name: 'get_weather' }, { choice: { name: 'get_weather' } }],
  [{ type: 'none' }, { choice: 'none' }],
])('the tools are used as tool_choice says: %j', async (tool_choice, offer) => {
  const other = { type: 'custom', name: 'now', description: 'The time', input_schema: {} };
  const { tools } = await jobOf({ tools: [WEATHER, other], tool_choice });
  expect(tools).toMatchObject({
    ...offer,
    tools: [
      { name: 'get_weather', parameters: CITY },
      { name: 'now', description: 'The time', parameters: { type: 'object', properties: {} } },
    ],
  });
});

const FAULTS: [object, string][] = [
  [{ max_tokens: undefined }, 'max_tokens'],
  [{ max_tokens: 0 }, 'max_tokens'],
  [{ messages: [] }, 'messages'],
  [{ messages: 'Hi' }, 'messages'],
  [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
  [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
  [{ messages: [{ role: 'user', content: [7] }] }, 'messages[0].content[0]'],
  [{ messages: asked(RESULT) }, 'messages[1].content[0]'],
  [{ messages: [{ role: 'user', content: [USE] }] }, 'messages[0].content[0]'],
  [{ messages: asked({ ...USE, input: 'x' }) }, 'messages[1].content[0].input'],
  [{ messages: [{ role: 'user', content: [RESULT] }] }, 'messages[0].content[0].tool_use_id'],
  [{ messages: answered(RESULT, RESULT) }, 'messages[2].content[1].tool_use_id'],
  [{ messages: answered({ ...RESULT, tool_use_id: 'x' }) }, 'messages[2].content[0].tool_use_id'],
  [{ system: [{ type: 'text' }] }, 'system[0].text'],
  [{ tools: [{ ...WEATHER, name: 'get weather' }] }, 'tools[0].name'],
  [{ tools: [WEATHER, WEATHER] }, 'tools[1].name'],
  [{ tools: [WEATHER], tool_choice: { type: 'tool' } }, 'tool_choice.name'],
  [{ tools: [WEATHER], tool_choice: { type: 'tool', name: 'x' } }, 'tool_choice.name'],
  [{ tools: [WEATHER], tool_choice: 'any' }, 'tool_choice'],
  [{ tool_choice: { type: 'any' } }, 'tool_choice'],
  [{ thinking: { type: 'on' } }, 'thinking.type'],
  [{ output_config: { format: { type: 'json_schema' } } }, 'output_config.format.schema'],
  [{ stop_sequences: 'x' }, 'stop_sequences'],
  [{ temperature: 3 }, 'temperature'],
  [{ messages: asked({ type: 'text', text: '{' }), output_config: FORMAT }, 'messages'],
  [
    {
      messages: asked({ type: 'text', text: 'x' }),
      tools: [WEATHER],
      tool_choice: { type: 'any' },
    },
    'messages',
  ],
];

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } };

const LACKS: [object, string][] = [
  [{ messages: [{ role: 'user', content: [IMAGE] }] }, 'messages[0].content[0].source.data'],
  [
    { messages: [{ role: 'user', content: [{ type: 'document', source: {} }] }] },
    'messages[0].content[0].type',
  ],
  [
    { messages: answered({ ...RESULT, content: [IMAGE] }) },
    'messages[2].content[0].content[0].source.data',
  ],
  [
    { messages: answered({ ...RESULT, content: [{ type: 'search_result', source: 7 }] }) },
    'messages[2].content[0].content[0].type',
  ],
  [{ tools: [WEATHER, { type: 'bash_20250124', name: 'bash' }] }, 'tools[1].type'],
  [{ mcp_servers: [{ type: 'url' }] }, 'mcp_servers'],
  [{ container: 'c' }, 'container'],
  [{ thread: { type: 'create' } }, 'thread'],
];

describe('a request', () => {
  test.each(FAULTS)('%j is refused', async (body, param) => {
    const error = await refusal(body);
    const field = param.replaceAll(/\[(\d+)\]/g, '.$1');
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', code: null, param });
    expect(error.message).toContain(`${field}: `);
  });

  test.each(LACKS)('%j asks for a missing feature', async (body, param) => {
    expect(await refusal(body)).toMatchObject({ status: 400, code: 'unsupported_value', param });
  });

  test('whose schemas cannot be enforced is refused with their path', async () => {
    const input_schema = { properties: { a: { type: 'thing' } } };
    expect(
      await refusal({ tools: [WEATHER, { name: 'f', input_schema, strict: true }] }),
    ).toMatchObject({
      code: 'invalid_json_schema',
      param: 'tools[1].input_schema.properties.a.type',
    });
    const format = { type: 'json_schema', schema: { type: 'thing' } };
    expect(await refusal({ output_config: { format } })).toMatchObject({
      param: 'output_config.format.schema.type',
    });
  });

  test('for a model that speaks is refused', async () => {
    expect(await refusal({ model: SPEECH_MODEL })).toMatchObject({ status: 400, param: 'model' });
  });
});
