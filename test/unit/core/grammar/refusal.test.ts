import { expect, test } from 'vitest';
import { refusalOf } from './support/refusal.ts';
import { REFUSALS } from './cases/refused-cases.ts';

const titled = REFUSALS.map((item) => [JSON.stringify(item.schema).slice(0, 160), item] as const);

test.each(titled)('%s is refused with the path', (_title, { schema, path }) => {
  expect(refusalOf(schema)).toEqual({ path });
});

test.each([
  ['a pattern of 100,000 characters', { type: 'string', pattern: 'a'.repeat(100_000) }],
  ['5,000 alternatives', { oneOf: Array.from({ length: 5_000 }, (_, i) => ({ const: i })) }],
  ['50,000 values of enum', { enum: Array.from({ length: 50_000 }, (_, i) => i) }],
  ['20,000 schemas in allOf', { allOf: Array.from({ length: 20_000 }, () => ({ minLength: 1 })) }],
])('%s: refused without compiling everything', (_what, schema) => {
  expect(refusalOf(schema)).toHaveProperty('path');
});

test('a pattern with exponential backtracking is enforced like any other', () => {
  const schema = {
    type: 'object',
    properties: { [`${'a'.repeat(40)}!`]: { type: 'integer' } },
    patternProperties: { '^(a+)+$': { type: 'string' } },
    additionalProperties: false,
  };
  expect(refusalOf(schema)).toContain('root ::=');
});

test('nesting that overflows the call stack is refused', () => {
  let schema: object = { type: 'string' };
  for (let depth = 0; depth < 20_000; depth++) schema = { type: 'array', items: schema };
  expect(refusalOf(schema)).toHaveProperty('path');
});
