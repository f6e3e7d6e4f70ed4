import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { schemaGrammar } from '../../src/core/grammar/compile.ts';
import { SchemaError } from '../../src/core/grammar/schema/schema-error.ts';
import { CompiledGrammar } from '../unit/core/grammar/support/grammar-engine.ts';

/** Every run tests the same schemas. Another seed gives other schemas. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_126);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 120);

const NAMES = ['a', 'b', 'c', 'd'];

/** The texts of all objects with these names, in each order. One name may come twice. */
const OBJECTS = orders([]).map((names) => `{${names.map((name) => `"${name}": 1`).join(', ')}}`);

function orders(begun: string[]): string[][] {
  if (begun.length === 3) return [begun];
  return [begun, ...NAMES.flatMap((name) => orders([...begun, name]))];
}

const few = fc.subarray(NAMES, { maxLength: 3 });
const counts = fc.record(
  { minProperties: fc.nat(3), maxProperties: fc.nat(3) },
  { requiredKeys: [], noNullPrototype: true },
);
const dependent = fc.record(
  {
    dependentSchemas: few.chain((names) => membersOf(names, counts)),
    dependentRequired: few.chain((names) => membersOf(names, few)),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const schemas = fc
  .tuple(
    fc.record(
      {
        properties: few.chain((names) => membersOf(names, fc.constantFrom(true, false, {}))),
        required: fc.subarray(NAMES, { maxLength: 2 }),
        additionalProperties: fc.constantFrom(true, false, { type: 'integer' }),
        patternProperties: fc.constantFrom({ '^[ab]': {} }, { '[cd]': false }),
        propertyNames: fc.constantFrom<object>(
          { pattern: '^[abc]$' },
          { enum: ['a', 'b', 'x'] },
          { not: { const: 'a' } },
          { maxLength: 1 },
        ),
        not: counts,
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    counts,
    dependent,
  )
  .map((parts): object => Object.assign({ type: 'object' }, ...parts));

function membersOf<T>(names: string[], value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.record(Object.fromEntries(names.map((name) => [name, value])), {
    noNullPrototype: true,
  });
}

test(
  'an object that a grammar accepts has as many members as the schema asks for',
  { timeout: 300_000 },
  async () => {
    const isOpen = fc.boolean();
    const property = fc.asyncProperty(schemas, isOpen, async (schema, open) => {
      const validate = new Ajv2020({ strict: false }).compile(schema);
      const valid = OBJECTS.filter((text) => validate(JSON.parse(text)));
      const ebnf = grammarOf(schema, !open);
      if (ebnf === undefined) {
        // Without `strict: false`, objects have no members but those that the schema lists.
        if (open) expect(valid, 'unsatisfiable').toEqual([]);
        return;
      }
      const grammar = await CompiledGrammar.compile(ebnf);
      const accepted = OBJECTS.filter((text) => grammar.accepts(text));
      grammar.dispose();
      expect(accepted.filter((text) => !valid.includes(text))).toEqual([]);
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  },
);

/** Undefined if no value is valid. */
function grammarOf(schema: object, strict: boolean): string | undefined {
  try {
    return schemaGrammar(schema, { strict });
  } catch (error) {
    if (error instanceof SchemaError && error.text.startsWith('is unsatisfiable')) return undefined;
    throw error;
  }
}
