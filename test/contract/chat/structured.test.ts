import { zodResponseFormat } from 'openai/helpers/zod';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { MODEL, openApi } from '../support/api.ts';
import { errorOf, json, type ChatBody } from '../support/read.ts';
import { apiError, finish, text } from '../support/test-engine.ts';

const MESSAGES = [{ role: 'user' as const, content: 'Hi' }];
const BASE = { model: MODEL, messages: MESSAGES };
const Weather = z.object({ city: z.string(), temp: z.number().min(-90).max(60) });
const SCHEMA = z.toJSONSchema(Weather);

async function jobOf(response_format: unknown) {
  const api = await openApi();
  const response = await api.post('/chat/completions', { ...BASE, response_format });
  expect(response.status).toBe(200);
  await response.text();
  return api.engine.last.job;
}

describe('response_format', () => {
  test.each([undefined, null, { type: 'text' }])('%j leaves the text free', async (format) => {
    expect(await jobOf(format)).not.toHaveProperty('format');
  });

  test('json_object asks the engine for an object', async () => {
    for (const rest of [{}, { schema: null }]) {
      const { format } = await jobOf({ type: 'json_object', ...rest });
      expect(format).toEqual({ type: 'json_object' });
    }
  });

  test('a schema means the same beside json_object and in json_schema', async () => {
    const expected = { type: 'json_schema', schema: SCHEMA };
    expect((await jobOf({ type: 'json_object', schema: SCHEMA })).format).toEqual(expected);
    for (const rest of [{ name: 'w', strict: true }, { name: 'w', strict: null }, {}]) {
      const format = { type: 'json_schema', json_schema: { ...rest, schema: SCHEMA } };
      expect((await jobOf(format)).format).toEqual(expected);
    }
  });

  test('with strict: false, the engine may write members that the schema does not name', async () => {
    const format = { type: 'json_schema', json_schema: { strict: false, schema: SCHEMA } };
    const expected = { type: 'json_schema', schema: SCHEMA, strict: false };
    expect((await jobOf(format)).format).toEqual(expected);
  });

  test.each([
    ['json', 'response_format'],
    [{ type: 'xml' }, 'response_format.type'],
    [{ type: 'json_schema' }, 'response_format.json_schema'],
    [{ type: 'json_schema', json_schema: null }, 'response_format.json_schema'],
    [{ type: 'json_schema', json_schema: [] }, 'response_format.json_schema'],
    [{ type: 'json_schema', json_schema: {} }, 'response_format.json_schema.schema'],
    [{ type: 'json_schema', json_schema: { name: 1 } }, 'response_format.json_schema.name'],
    [
      { type: 'json_schema', json_schema: { schema: {}, strict: 'yes' } },
      'response_format.json_schema.strict',
    ],
  ])('%j is refused', async (response_format, param) => {
    const api = await openApi();
    const error = await errorOf(await api.post('/chat/completions', { ...BASE, response_format }));
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param });
    expect(api.engine.runs).toHaveLength(0);
  });

  test.each([
    [{ type: 'json_schema', json_schema: { schema: 'x' } }, 'response_format.json_schema.schema'],
    [
      { type: 'json_schema', json_schema: { schema: { properties: { a: { $dynamicRef: '#' } } } } },
      'response_format.json_schema.schema.properties.a.$dynamicRef',
    ],
    [{ type: 'json_object', schema: { type: 'thing' } }, 'response_format.schema.type'],
  ])('%j names what of its schema cannot be enforced', async (response_format, param) => {
    const api = await openApi();
    for (const stream of [false, true]) {
      const body = { ...BASE, stream, response_format };
      const error = await errorOf(await api.post('/chat/completions', body));
      expect(error).toMatchObject({ status: 400, code: 'invalid_json_schema', param });
      expect(error.message).toContain(`'${param}'`);
    }
    expect(api.engine.runs).toHaveLength(0);
  });

  test('a schema that the engine cannot compile is a 400, and the next request is answered', async () => {
    const api = await openApi();
    api.engine.next(apiError(400, 'invalid_request_error', 'invalid_json_schema'));
    const body = { ...BASE, response_format: { type: 'json_object' } };
    const error = await errorOf(await api.post('/chat/completions', body));
    expect(error).toMatchObject({ status: 400, code: 'invalid_json_schema' });
    expect((await api.post('/chat/completions', body)).status).toBe(200);
  });

  test('an answer that max_tokens cuts ends with length', async () => {
    const api = await openApi();
    api.engine.next(text('{"city": "Be'), finish('length'));
    const body = { ...BASE, max_tokens: 3, response_format: { type: 'json_object' } };
    const answer = await json<ChatBody>(await api.post('/chat/completions', body));
    expect(answer.choices[0]).toMatchObject({
      message: { content: '{"city": "Be' },
      finish_reason: 'length',
    });
  });
});

describe('the openai package', () => {
  const response_format = zodResponseFormat(Weather, 'weather');

  test('parses the answer to a zod type', async () => {
    const api = await openApi();
    api.engine.next(text('{"city": "Bern",'), text(' "temp": 21.5}'), finish());
    const answer = await api.client().chat.completions.parse({ ...BASE, response_format });
    expect(answer.choices[0]?.message.parsed).toEqual({ city: 'Bern', temp: 21.5 });
    expect(api.engine.last.job.format).toMatchObject({ schema: { properties: { temp: {} } } });
  });

  test('parses it from a stream', async () => {
    const api = await openApi();
    api.engine.next(text('{"city":"Bern",'), text('"temp":-3}'), finish());
    const stream = api.client().chat.completions.stream({ ...BASE, response_format });
    const answer = await stream.finalChatCompletion();
    expect(answer.choices[0]?.message.parsed).toEqual({ city: 'Bern', temp: -3 });
  });
});
