import { expect, test } from 'vitest';
import { ApiError } from '../../../src/core/errors.ts';
import { schemaGrammar } from '../../../src/core/json-schema/compile.ts';
import { REFUSALS } from './refused-cases.ts';

function refusalOf(schema: unknown): unknown {
  try {
    return schemaGrammar(schema, 'schema');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, param } = error.data;
    return { status, code, param };
  }
}

const titled = REFUSALS.map((item) => [JSON.stringify(item.schema).slice(0, 160), item] as const);

test.each(titled)('%s is refused with the path', (_title, { schema, path }) => {
  expect(refusalOf(schema)).toEqual({ status: 400, code: 'invalid_json_schema', param: path });
});

test('nesting that no call stack holds is refused', () => {
  let schema: object = { type: 'string' };
  for (let depth = 0; depth < 20_000; depth++) schema = { type: 'array', items: schema };
  expect(refusalOf(schema)).toMatchObject({ status: 400, code: 'invalid_json_schema' });
});
