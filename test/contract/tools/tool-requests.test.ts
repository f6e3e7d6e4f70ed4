import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { errorOf } from '../support/read.ts';

const MESSAGES = [{ role: 'user', content: 'Hi' }];
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const WEATHER = tool('get_weather', CITY);
const CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city": "Bern"}' },
};
const RESULT = { role: 'tool', tool_call_id: 'call_1', content: 'sunny' };

function tool(name: unknown, parameters: unknown, rest: object = {}) {
  return { type: 'function', function: { name, parameters, ...rest } };
}

function asked(...calls: unknown[]) {
  return [...MESSAGES, { role: 'assistant', content: null, tool_calls: calls }];
}

/** A history whose call has other fields. */
function askedWith(fields: object) {
  return { messages: asked({ ...CALL, function: { ...CALL.function, ...fields } }) };
}

async function jobOf(body: object) {
  const api = await openApi();
  const response = await api.post('/chat/completions', {
    model: MODEL,
    messages: MESSAGES,
    ...body,
  });
  expect(response.status, await response.text()).toBe(200);
  return api.engine.last.job;
}

async function refusal(body: object) {
  const api = await openApi();
  const base = { model: MODEL, messages: MESSAGES };
  const error = await errorOf(await api.post('/chat/completions', { ...base, ...body }));
  expect(api.engine.runs).toEqual([]);
  return error;
}

describe('the offered tools', () => {
  test('reach the engine with their schemas', async () => {
    const described = tool('get_time', CITY, { description: 'The time', strict: true });
    const { tools } = await jobOf({ tools: [WEATHER, described] });
    expect(tools).toMatchObject({ choice: 'auto', parallel: true });
    expect(tools?.tools).toEqual([
      { name: 'get_weather', parameters: CITY },
      { name: 'get_time', description: 'The time', parameters: CITY, strict: true },
    ]);
  });

  test('with strict: false, may be called with members that no schema names', async () => {
    const { tools } = await jobOf({ tools: [tool('get_time', CITY, { strict: false })] });
    expect(tools?.tools).toEqual([{ name: 'get_time', parameters: CITY, strict: false }]);
  });

  test.each([{}, null, undefined])('may take no parameters: %j', async (parameters) => {
    const { tools } = await jobOf({ tools: [tool('now', parameters)] });
    expect(tools?.tools[0]?.parameters).toEqual({ type: 'object', properties: {} });
  });

  test.each([
    ['auto', 'auto'],
    [null, 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ type: 'function', function: { name: 'get_weather' } }, { name: 'get_weather' }],
  ])('are used as tool_choice says: %j', async (tool_choice, choice) => {
    expect((await jobOf({ tools: [WEATHER], tool_choice })).tools?.choice).toEqual(choice);
  });

  test('are called one at a time if the request says so', async () => {
    const { tools } = await jobOf({ tools: [WEATHER], parallel_tool_calls: false });
    expect(tools?.parallel).toBe(false);
  });

  test.each([{ tools: [] }, { tools: null }, { tools: [], tool_choice: 'none' }])(
    'are absent in %j',
    async (body) => expect(await jobOf(body)).not.toHaveProperty('tools'),
  );

  test('go with a response_format, which applies to the text', async () => {
    const body = { tools: [WEATHER], response_format: { type: 'json_object' } };
    expect(await jobOf(body)).toMatchObject({
      format: { type: 'json_object' },
      tools: { choice: 'auto' },
    });
  });
});

describe('a history with calls', () => {
  test('reaches the engine with them and their results', async () => {
    const other = { ...CALL, id: 'call_2' };
    const messages = [...asked(CALL, other), RESULT, { ...RESULT, tool_call_id: 'call_2' }];
    const { prompt } = await jobOf({ messages });
    const call = { name: 'get_weather', arguments: '{"city": "Bern"}' };
    expect(prompt).toMatchObject({
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [
            { id: 'call_1', ...call },
            { id: 'call_2', ...call },
          ],
        },
        { role: 'tool', content: 'sunny', name: 'get_weather', toolCallId: 'call_1' },
        { role: 'tool', content: 'sunny', name: 'get_weather', toolCallId: 'call_2' },
      ],
    });
  });

  test.each([
    { content: 'Let me see.' },
    { content: '' },
    { content: null },
    {},
    { content: [{ type: 'text', text: 'Let me see.' }], refusal: null, name: 'bot' },
  ])('accepts %j beside the calls', async (rest) => {
    const message = { role: 'assistant', tool_calls: [CALL], ...rest };
    const { prompt } = await jobOf({ messages: [...MESSAGES, message, RESULT] });
    expect(prompt).toMatchObject({ messages: [{}, { toolCalls: [{ id: 'call_1' }] }, {}] });
  });

  test.each(['', ' '])('reads %j as no arguments', async (json) => {
    const { prompt } = await jobOf(askedWith({ arguments: json }));
    expect(prompt).toMatchObject({ messages: [{}, { toolCalls: [{ arguments: '{}' }] }] });
  });
});

const FAULTS: [object, string][] = [
  [{ tools: {} }, 'tools'],
  [{ tools: ['f'] }, 'tools[0]'],
  [{ tools: [{ type: 7, function: { name: 'f' } }] }, 'tools[0].type'],
  [{ tools: [{ type: 'function' }] }, 'tools[0].function'],
  [{ tools: [WEATHER, { type: 'function', function: {} }] }, 'tools[1].function.name'],
  [{ tools: [tool('', {})] }, 'tools[0].function.name'],
  [{ tools: [tool('get weather', {})] }, 'tools[0].function.name'],
  [{ tools: [tool('x'.repeat(65), {})] }, 'tools[0].function.name'],
  [{ tools: [WEATHER, WEATHER] }, 'tools[1].function.name'],
  [{ tools: [tool('f', {}, { description: 7 })] }, 'tools[0].function.description'],
  [{ tools: [tool('f', {}, { strict: 'yes' })] }, 'tools[0].function.strict'],
  [{ tools: [tool('f', [])] }, 'tools[0].function.parameters'],
  [{ tools: Array.from({ length: 129 }, (_, index) => tool(`f${index}`, {})) }, 'tools'],
  [{ tools: [WEATHER], tool_choice: 'any' }, 'tool_choice'],
  [{ tools: [WEATHER], tool_choice: 7 }, 'tool_choice'],
  [{ tools: [WEATHER], tool_choice: [] }, 'tool_choice'],
  [{ tools: [WEATHER], tool_choice: {} }, 'tool_choice.type'],
  [{ tools: [WEATHER], tool_choice: { type: 'function' } }, 'tool_choice.function'],
  [
    { tools: [WEATHER], tool_choice: { type: 'function', function: { name: 'get_time' } } },
    'tool_choice.function.name',
  ],
  [{ tool_choice: 'required' }, 'tool_choice'],
  [{ tools: [], tool_choice: 'required' }, 'tool_choice'],
  [{ tool_choice: { type: 'function', function: { name: 'f' } } }, 'tool_choice'],
  [{ tools: [WEATHER], parallel_tool_calls: 'no' }, 'parallel_tool_calls'],
  [{ messages: asked('call') }, 'messages[1].tool_calls[0]'],
  [{ messages: asked({ ...CALL, id: undefined }) }, 'messages[1].tool_calls[0].id'],
  [{ messages: asked({ ...CALL, function: undefined }) }, 'messages[1].tool_calls[0].function'],
  [askedWith({ name: '' }), 'messages[1].tool_calls[0].function.name'],
  [askedWith({ arguments: {} }), 'messages[1].tool_calls[0].function.arguments'],
  [askedWith({ arguments: '{"city": Be' }), 'messages[1].tool_calls[0].function.arguments'],
  [askedWith({ arguments: '"Bern"' }), 'messages[1].tool_calls[0].function.arguments'],
  [askedWith({ arguments: '[]' }), 'messages[1].tool_calls[0].function.arguments'],
  [{ messages: [{ role: 'user', content: 'Hi', tool_calls: [CALL] }] }, 'messages[0].tool_calls'],
  [{ messages: [{ role: 'user', content: 'Hi', tool_call_id: 'a' }] }, 'messages[0].tool_call_id'],
  [{ messages: [...MESSAGES, RESULT] }, 'messages[1].tool_call_id'],
  [{ messages: [...asked(CALL), { ...RESULT, tool_call_id: 'b' }] }, 'messages[2].tool_call_id'],
  [{ messages: [...asked(CALL), { role: 'tool', content: 'x' }] }, 'messages[2].tool_call_id'],
  [{ messages: [...asked(CALL), { ...RESULT, content: null }] }, 'messages[2].content'],
];

const LACKS: [object, string][] = [
  [{ tools: [{ type: 'file_search' }] }, 'tools[0].type'],
  [{ tools: [WEATHER], tool_choice: { type: 'custom' } }, 'tool_choice.type'],
  [{ messages: asked({ ...CALL, type: 'custom' }) }, 'messages[1].tool_calls[0].type'],
];

const SCHEMAS: [unknown, string][] = [
  [{ type: 'string' }, 'tools[1].function.parameters.type'],
  [
    { type: 'object', properties: { a: { $dynamicRef: '#' } } },
    'tools[1].function.parameters.properties.a.$dynamicRef',
  ],
  [{ properties: { a: { type: 'thing' } } }, 'tools[1].function.parameters.properties.a.type'],
  [{ type: 'object', required: ['a'], properties: { a: false } }, 'tools[1].function.parameters'],
];

describe('a request about tools', () => {
  test.each(FAULTS)('%j is refused', async (body, param) => {
    const error = await refusal(body);
    expect(error).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: null,
      param,
    });
    expect(error.message).toContain(`'${param}'`);
  });

  test.each(LACKS)('%j asks for a missing feature', async (body, param) => {
    expect(await refusal(body)).toMatchObject({ status: 400, code: 'unsupported_value', param });
  });

  test.each(SCHEMAS)('with the parameters %j is refused with their path', async (schema, param) => {
    for (const stream of [false, true]) {
      const error = await refusal({
        stream,
        tools: [WEATHER, tool('f', schema, { strict: true })],
      });
      expect(error).toMatchObject({ status: 400, code: 'invalid_json_schema', param });
      expect(error.message).toContain(`'${param}'`);
    }
  });

  test('with arguments that are nested too deeply is refused', async () => {
    const depth = 20_000;
    const nested = `${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    const param = 'messages[1].tool_calls[0].function.arguments';
    expect(await refusal(askedWith({ arguments: nested }))).toMatchObject({ status: 400, param });
  });
});
