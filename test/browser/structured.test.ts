import type { Page } from 'playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test, TINY } from './support/fixtures.ts';

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

interface Answer {
  content: string;
  reason: string | undefined;
}

/** What the model answers when it is held to a format. */
function answer(page: Page, format: object, rest: Record<string, number> = {}): Promise<Answer> {
  return page.evaluate(
    async ([model, response_format, parameters]) => {
      const { choices } = await window.client.chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'Hello!' }],
        max_tokens: 400,
        response_format: response_format as { type: 'json_object' },
        ...parameters,
      });
      return { content: choices[0]?.message.content ?? '', reason: choices[0]?.finish_reason };
    },
    [TINY, format, rest] as const,
  );
}

const JSON_SCHEMA = {
  type: 'json_schema',
  json_schema: { name: 'pet', strict: true, schema: SCHEMA },
};

test('structured_outputs: whatever the seed, the answer is valid under the schema', async ({
  ready,
}) => {
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(SCHEMA);
  for (const seed of [1, 2, 3, 4, 5]) {
    const { content, reason } = await answer(ready, JSON_SCHEMA, { temperature: 1, seed });
    expect(reason).toBe('stop');
    expect(isValid(JSON.parse(content)), content).toBe(true);
  }
});

test('greedy decoding under a schema equals itself', async ({ ready }) => {
  const first = await answer(ready, JSON_SCHEMA, { temperature: 0 });
  expect(first.content).toMatch(/^\{/);
  expect(await answer(ready, JSON_SCHEMA, { temperature: 0 })).toEqual(first);
});

test('json_mode: the answer is a JSON object', async ({ ready }) => {
  const format = {
    type: 'json_object',
    schema: { type: 'object', maxProperties: 1, additionalProperties: { type: 'boolean' } },
  };
  const { content } = await answer(ready, format, { temperature: 1, seed: 1 });
  expect(content).toMatch(/^\{/);
  expect(Object.keys(JSON.parse(content) as object).length).toBeLessThanOrEqual(1);
  const free = await answer(ready, { type: 'json_object' }, { temperature: 1, seed: 2 });
  expect(free.content).toMatch(/^\{/);
  if (free.reason === 'stop') expect(JSON.parse(free.content)).toBeInstanceOf(Object);
});

test('max_tokens cuts a structured answer, and says so', async ({ ready }) => {
  // Enough for the thought that this model begins with, and no more than the answer's beginning.
  const parameters = { temperature: 0, max_tokens: 25 };
  const { content, reason } = await answer(ready, JSON_SCHEMA, parameters);
  expect(reason).toBe('length');
  expect(content).toMatch(/^\{ ?"[^}]*$/);
});

test('after a schema that is refused, the next one is served', async ({ ready }) => {
  const refused = { type: 'json_schema', json_schema: { schema: { not: {} } } };
  await expect(answer(ready, refused)).rejects.toThrow(/json_schema\.schema\.not/);
  const { content } = await answer(ready, { type: 'json_object', schema: { const: [1, 'é a'] } });
  expect(JSON.parse(content)).toEqual([1, 'é a']);
});
