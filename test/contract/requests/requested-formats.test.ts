import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { errorOf } from '../support/read.ts';

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } };
const JSON_SCHEMA = { type: 'json_schema', schema: SCHEMA };
const PATHS: [path: string, base: object][] = [
  ['/chat/completions', { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }],
  ['/completions', { model: MODEL, prompt: 'Hi' }],
];

describe.each(PATHS)('POST %s', (path, base) => {
  async function formatOf(body: object) {
    const api = await openApi();
    const response = await api.post(path, { ...base, ...body });
    expect(response.status, await response.text()).toBe(200);
    return api.engine.last.job.format;
  }

  async function refusal(body: object) {
    const api = await openApi();
    const error = await errorOf(await api.post(path, { ...base, ...body }));
    expect(api.engine.runs).toEqual([]);
    return error;
  }

  test.each([
    [{ response_format: { type: 'json_object' } }, { type: 'json_object' }],
    [{ response_format: { type: 'json_schema', json_schema: { schema: SCHEMA } } }, JSON_SCHEMA],
    [{ guided_json: SCHEMA }, JSON_SCHEMA],
    [{ guided_json: JSON.stringify(SCHEMA) }, JSON_SCHEMA],
    [{ json_schema: SCHEMA }, JSON_SCHEMA],
    [{ structured_outputs: { json: SCHEMA } }, JSON_SCHEMA],
    [{ structured_outputs: { json_object: true } }, { type: 'json_object' }],
    [{ guided_regex: '[ab]+' }, { type: 'pattern', pattern: '[ab]+' }],
    [{ structured_outputs: { regex: '[ab]+' } }, { type: 'pattern', pattern: '[ab]+' }],
    [{ guided_choice: ['a', 'b'] }, { type: 'choice', texts: ['a', 'b'] }],
    [{ structured_outputs: { choice: ['a', 'b'] } }, { type: 'choice', texts: ['a', 'b'] }],
    [{ response_format: { type: 'text' }, grammar: '', structured_outputs: {} }, undefined],
    [{ guided_json: null, guided_choice: null, structured_outputs: null }, undefined],
  ])('%j asks for a format', async (body, format) => {
    expect(await formatOf(body)).toEqual(format);
  });

  test.each([
    [{ guided_grammar: 'root ::= "a"' }, 'guided_grammar'],
    [{ grammar: 'root ::= "a"' }, 'grammar'],
    [{ structured_outputs: { grammar: 'root ::= "a"' } }, 'structured_outputs.grammar'],
    [{ structured_outputs: { structural_tag: {} } }, 'structured_outputs.structural_tag'],
  ])('%j is refused, and the error names what to use', async (body, param) => {
    const error = await refusal(body);
    expect(error).toMatchObject({ status: 400, code: 'unsupported_value', param });
    expect(error.message).toContain('response_format');
  });

  test.each([
    [{ guided_json: '{' }, 'guided_json'],
    [{ guided_choice: [] }, 'guided_choice'],
    [{ guided_choice: [1] }, 'guided_choice[0]'],
    [{ guided_regex: 7 }, 'guided_regex'],
    [{ structured_outputs: [] }, 'structured_outputs'],
  ])('%j is refused', async (body, param) => {
    expect(await refusal(body)).toMatchObject({ status: 400, code: null, param });
  });

  test.each([
    [{ guided_json: { type: 'thing' } }, 'guided_json.type'],
    [{ json_schema: { properties: { a: { type: 'thing' } } } }, 'json_schema.properties.a.type'],
    [{ structured_outputs: { json: { type: 'thing' } } }, 'structured_outputs.json.type'],
    [{ guided_regex: '(' }, 'guided_regex'],
    [{ guided_regex: '(?:a{1000}){1000}' }, 'guided_regex'],
    [
      { response_format: { type: 'json_object', schema: { type: 'x' } } },
      'response_format.schema.type',
    ],
  ])('%j cannot be enforced', async (body, param) => {
    const error = await refusal(body);
    expect(error).toMatchObject({ status: 400, code: 'invalid_json_schema', param });
  });

  test('a choice that is too long cannot be enforced', async () => {
    const error = await refusal({ guided_choice: ['a'.repeat(100_000)] });
    expect(error).toMatchObject({ code: 'invalid_json_schema', param: 'guided_choice' });
  });
});
