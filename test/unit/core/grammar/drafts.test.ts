import { expect, test } from 'vitest';
import { schemaGrammar } from '../../../../src/core/grammar/compile.ts';
import { CompiledGrammar } from './support/grammar-engine.ts';
import { refusalOf } from './support/refusal.ts';

// From JSON-Schema-Test-Suite. Ajv cannot be the reference here: it reads the `$id` in every draft.
const BESIDE_ID = {
  $id: 'http://localhost/base/',
  definitions: {
    foo: { $id: 'http://localhost/foo.json', type: 'string' },
    base_foo: { $id: 'foo.json', type: 'number' },
  },
  allOf: [{ $id: 'http://localhost/', $ref: 'foo.json' }],
};

test.each([
  ['http://json-schema.org/draft-07/schema#', '1', '"a"'],
  ['https://json-schema.org/draft/2020-12/schema', '"a"', '1'],
])('%s says whether an $id beside a $ref counts', async ($schema, valid, invalid) => {
  const grammar = await CompiledGrammar.compile(schemaGrammar({ $schema, ...BESIDE_ID }));
  expect([valid, invalid].map((text) => grammar.accepts(text))).toEqual([true, false]);
  grammar.dispose();
});

test('without a draft, a $ref that points to different schemas is refused', () => {
  expect(refusalOf(BESIDE_ID)).toEqual({ path: '.allOf[0].$ref' });
});
