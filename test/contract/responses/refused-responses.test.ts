import { describe, expect, test } from 'vitest';
import { MODEL, openApi, SPEECH_MODEL } from '../support/api.ts';
import { errorOf } from '../support/read.ts';
import { CALL, HI, RESULT, TIME, WEATHER } from './response-parts.ts';

async function refusal(body: object) {
  const api = await openApi();
  const request = { model: MODEL, input: 'Hi', ...body };
  const error = await errorOf(await api.post('/responses', request));
  expect(api.engine.runs).toEqual([]);
  return error;
}

const FAULTS: [object, string][] = [
  [{ background: 'yes' }, 'background'],
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
  [
    { metadata: Object.fromEntries(Array.from('abcdefghijklmnopq', (key) => [key, ''])) },
    'metadata',
  ],
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
  [{ tools: [WEATHER, { type: 'code_interpreter', name: 7 }] }, 'tools[1].type'],
  [{ tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }, 'tools[0].type'],
  [{ tools: [WEATHER], tool_choice: { type: 'web_search' } }, 'tool_choice.type'],
  [
    {
      tools: [WEATHER],
      tool_choice: { type: 'allowed_tools', tools: [{ type: 'code_interpreter' }] },
    },
    'tool_choice.tools[0].type',
  ],
  [{ background: true }, 'background'],
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
