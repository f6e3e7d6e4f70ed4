import { describe, expect, test } from 'vitest';
import { MODEL, openApi, SPEECH_MODEL, type TestApi } from '../support/api.ts';
import { errorOf } from '../support/read.ts';

/** Names that every object has without being given them: `constructor`, `toString`, `__proto__`, … */
const NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];

const SCHEMA = {
  type: 'object',
  properties: { a: { type: 'string', format: 'date' } },
  required: ['a'],
};
const TOOL = {
  type: 'function',
  function: { name: 'f', description: 'd', parameters: SCHEMA },
};
const CALL = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

/** A body of each endpoint, with strings and objects in as many places as possible. */
const BODIES = {
  '/chat/completions': {
    model: MODEL,
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'a' }], name: 'b' },
      { role: 'user', content: 'Hi', name: 'ann' },
      { role: 'assistant', content: null, refusal: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'c', content: 'done' },
    ],
    tools: [TOOL],
    tool_choice: { type: 'function', function: { name: 'f' } },
    response_format: { type: 'json_schema', json_schema: { name: 'w', schema: SCHEMA } },
    stop: ['x'],
    logit_bias: { 5: 1 },
    reasoning_effort: 'low',
    modalities: ['text'],
    chat_template_kwargs: { style: 'x' },
    stream_options: { include_usage: true },
    metadata: { a: 'b' },
    user: 'u',
  },
  '/completions': {
    model: MODEL,
    prompt: ['Hi'],
    stop: 'x',
    logit_bias: { 5: 1 },
    suffix: '',
    stream_options: {},
    user: 'u',
  },
  '/audio/speech': {
    model: SPEECH_MODEL,
    input: 'Hi',
    voice: { id: 'ann' },
    response_format: 'wav',
    lang_code: 'en-US',
    instructions: '',
    stream_format: 'audio',
  },
};

/** JSON texts: the body with the name in the place of one of its strings, or as another key of an object. */
function* variants(value: unknown, name: string): Generator<string> {
  if (typeof value === 'string') yield JSON.stringify(name);
  if (Array.isArray(value)) {
    const texts = value.map((item: unknown) => JSON.stringify(item));
    for (const [index, item] of value.entries()) {
      for (const text of variants(item, name)) yield `[${texts.with(index, text).join()}]`;
    }
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    const texts = members.map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item)}`);
    for (const item of ['1', '"x"', '{}', 'null']) {
      yield `{${[...texts, `${JSON.stringify(name)}:${item}`].join()}}`;
    }
    for (const [index, [key, item]] of members.entries()) {
      for (const text of variants(item, name)) {
        yield `{${texts.with(index, `${JSON.stringify(key)}:${text}`).join()}}`;
      }
    }
  }
}

async function send(api: TestApi, path: string, body: string): Promise<void> {
  const response = await api.post(path, body);
  const { status } = response;
  expect([200, 400, 404], body).toContain(status);
  if (status === 200) await response.arrayBuffer();
  else expect((await errorOf(response)).type, body).toBe('invalid_request_error');
}

describe.each(Object.entries(BODIES))('POST %s', (path, body) => {
  test.each(NAMES)('with %s in any place is answered or refused', async (name) => {
    const api = await openApi();
    for (const text of variants(body, name)) await send(api, path, text);
  });
});

describe('GET', () => {
  test.each(NAMES)('of the model or the path %s is 404', async (name) => {
    const api = await openApi();
    for (const path of [`/models/${name}`, `/${name}`, `/chat/${name}`]) {
      expect((await api.fetch(path)).status).toBe(404);
    }
  });
});

test('keys that objects inherit reach the engine where any key may stand', async () => {
  const api = await openApi();
  const text = JSON.stringify(BODIES['/chat/completions']);
  const kwargs = '{"constructor":1,"__proto__":2,"style":"x"}';
  await (await api.post('/chat/completions', text.replace('{"style":"x"}', kwargs))).text();
  const { prompt } = api.engine.last.job;
  const options = prompt.kind === 'chat' ? prompt.templateOptions : {};
  expect(Object.entries(options)).toEqual(
    expect.arrayContaining([
      ['constructor', 1],
      ['__proto__', 2],
      ['style', 'x'],
    ]),
  );
});
