import type { Page } from 'playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { complete, type ChatRequest } from '../support/chat.ts';
import { expect, test } from '../support/fixtures.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 12 },
    age: { type: 'integer', minimum: 18, maximum: 99 },
    score: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    born: { type: 'string', format: 'date' },
    code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' },
    kind: { enum: ['cat', 'dog', 'naïve'] },
    tags: { type: 'array', items: { type: 'string', maxLength: 6 }, minItems: 1, maxItems: 3 },
    owner: { anyOf: [{ type: 'null' }, { type: 'boolean' }] },
  },
  required: ['name', 'age', 'score', 'born', 'code', 'kind', 'tags', 'owner'],
  additionalProperties: false,
};

/** The model's answer in a format. */
async function answer(
  page: Page,
  response_format: NonNullable<ChatRequest['response_format']>,
  rest: ChatRequest = {},
) {
  const { choices } = await complete(page, { max_tokens: 400, response_format, ...rest });
  return { content: choices[0]?.message.content ?? '', reason: choices[0]?.finish_reason };
}

const JSON_SCHEMA = {
  type: 'json_schema' as const,
  json_schema: { name: 'pet', strict: true, schema: SCHEMA },
};

const JSON_OBJECT = { type: 'json_object' as const };

test('under a JSON Schema, the answer is valid at every seed', async ({ ready }) => {
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(SCHEMA);
  for (const seed of [1, 2, 3, 4, 5]) {
    const { content, reason } = await answer(ready, JSON_SCHEMA, { temperature: 1, seed });
    expect(reason).toBe('stop');
    expect(isValid(JSON.parse(content)), content).toBe(true);
  }
});

test('greedy decoding under a schema gives the same answer again', async ({ ready }) => {
  const first = await answer(ready, JSON_SCHEMA, { temperature: 0 });
  expect(first.content).toMatch(/^\{/);
  expect(await answer(ready, JSON_SCHEMA, { temperature: 0 })).toEqual(first);
});

test('in JSON mode, the answer is a JSON object', async ({ ready }) => {
  const format = {
    ...JSON_OBJECT,
    schema: { type: 'object', maxProperties: 1, additionalProperties: { type: 'boolean' } },
  };
  const { content } = await answer(ready, format, { temperature: 1, seed: 1 });
  expect(content).toMatch(/^\{/);
  expect(Object.keys(JSON.parse(content) as object).length).toBeLessThanOrEqual(1);
  const free = await answer(ready, JSON_OBJECT, { temperature: 1, seed: 2 });
  expect(free.content).toMatch(/^\{/);
  if (free.reason === 'stop') expect(JSON.parse(free.content)).toBeInstanceOf(Object);
});

test('max_tokens cuts a structured answer, with finish_reason length', async ({ ready }) => {
  // Enough for the model's first thought and the beginning of the answer.
  const parameters = { temperature: 0, max_tokens: 25 };
  const { content, reason } = await answer(ready, JSON_SCHEMA, parameters);
  expect(reason).toBe('length');
  expect(content).toMatch(/^\{ ?"[^}]*$/);
});

test('after a schema is refused, the next one is answered', async ({ ready }) => {
  const refused = { ...JSON_SCHEMA, json_schema: { name: 'x', schema: { $dynamicRef: '#' } } };
  await expect(answer(ready, refused)).rejects.toThrow(/json_schema\.schema\.\$dynamicRef/);
  const format = { ...JSON_OBJECT, schema: { const: [1, 'é a'] } };
  const { content } = await answer(ready, format);
  expect(JSON.parse(content)).toEqual([1, 'é a']);
});
