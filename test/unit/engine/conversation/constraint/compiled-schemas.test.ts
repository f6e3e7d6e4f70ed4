import { afterEach, expect, test, vi } from 'vitest';
import * as compiler from '../../../../../src/core/grammar/compile.ts';
import {
  compiledMembers,
  compiledSchema,
} from '../../../../../src/engine/conversation/constraint/compiled-schemas.ts';
import { KEYWORDS } from '../../../core/grammar/support/notations.ts';

vi.mock('../../../../../src/core/grammar/compile.ts', async (importOriginal) => {
  const original = await importOriginal<typeof compiler>();
  return { ...original, schemaGrammar: vi.fn(original.schemaGrammar) };
});

const compilations = vi.mocked(compiler.schemaGrammar);

afterEach(() => compilations.mockClear());

test('a schema is compiled once', () => {
  const grammar = compiledSchema({ const: 'once' });
  expect(compiledSchema({ const: 'once' })).toBe(grammar);
  expect(grammar).toMatch(/^root ::= /);
  expect(compilations).toHaveBeenCalledOnce();
});

test('a schema has another grammar as keyword arguments', () => {
  const schema = { type: 'object', properties: { city: { const: 'Bern' } } };
  expect(compiledMembers(schema, KEYWORDS)).not.toBe(compiledSchema(schema));
  expect(compiledMembers(schema, KEYWORDS)).toContain('"city"');
});

test('a schema that cannot be enforced is refused each time, with the path inside it', () => {
  for (let time = 0; time < 2; time++) {
    expect(() => compiledSchema({ $dynamicRef: '#' })).toThrow("'schema.$dynamicRef'");
  }
});

test('schemas whose numbers JSON would not tell apart have grammars of their own', () => {
  compiledSchema({ const: null });
  expect(() => compiledSchema({ const: Infinity })).toThrow("'schema.const'");
  expect(compiledSchema({ const: 2n ** 60n })).toContain('1152921504606846976');
  expect(compiledSchema({ const: 2n ** 60n + 1n })).toContain('1152921504606846977');
});

test('the schema that was not used for longest is forgotten, and compiled again', () => {
  const kept = { const: 'kept' };
  compiledSchema(kept);
  const large = (letter: string) => ({ description: letter.repeat(200_000), const: letter });
  for (const letter of 'abcdefghijklmnop') {
    compiledSchema(large(letter));
    compiledSchema(kept);
  }
  compilations.mockClear();
  compiledSchema(kept);
  expect(compilations).not.toHaveBeenCalled();
  compiledSchema(large('a'));
  expect(compilations).toHaveBeenCalledOnce();
});
