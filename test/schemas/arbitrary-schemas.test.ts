import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { schemaGrammar } from '../../src/core/grammar/compile.ts';
import { regularExpression } from '../../src/core/grammar/regular/pattern.ts';
import { SchemaError } from '../../src/core/grammar/schema/schema-error.ts';
import { arbitrarySchemas } from './support/arbitrary-schemas.ts';
import { CompiledGrammar, randomFrom } from '../unit/core/grammar/support/grammar-engine.ts';

/** Every run tests the same schemas. Another seed gives other schemas. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 600);

test('any schema is compiled, or refused with a path', { timeout: 300_000 }, () => {
  let compiled = 0;
  const property = fc.property(arbitrarySchemas, fc.boolean(), (wanted, strict) => {
    try {
      expect(schemaGrammar(wanted, { strict })).toMatch(/^root ::= /);
      compiled++;
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      expect(error.path).toMatch(/^(\.|\[|$)/);
    }
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
  expect(compiled).toBeGreaterThan(RUNS / 4);
  expect(compiled).toBeLessThan(RUNS);
});

const OPTIONS = {
  strict: false,
  validateSchema: false,
  validateFormats: false,
  ownProperties: true,
  multipleOfPrecision: 9,
  code: { regExp: Object.assign(regularExpression, { code: 'regularExpression' }) },
};

/**
 * Whether Ajv finds a text valid, or cannot tell: if references only refer to each other, it follows them for ever,
 * and it refuses patterns that no value meets.
 */
function judge(schema: object, text: string): boolean {
  try {
    return new Ajv2020(OPTIONS).compile(schema)(JSON.parse(text));
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return true;
    throw error;
  }
}

test('what the grammar of any schema writes is valid', { timeout: 300_000 }, async () => {
  const random = randomFrom(SEED);
  let written = 0;
  const property = fc.asyncProperty(arbitrarySchemas, fc.boolean(), async (wanted, strict) => {
    const ebnf = grammarOf(wanted, strict);
    if (ebnf === undefined) return;
    const grammar = await CompiledGrammar.compile(ebnf);
    for (let count = 0; count < 4; count++) {
      const text = await grammar.sample(random, 400);
      if (text === undefined) continue;
      written++;
      expect(judge(wanted as object, text), `writes ${text}`).toBe(true);
    }
    grammar.dispose();
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS / 2 });
  expect(written).toBeGreaterThan(RUNS / 4);
});

function grammarOf(schema: unknown, strict: boolean): string | undefined {
  try {
    return schemaGrammar(schema, { strict });
  } catch (error) {
    if (error instanceof SchemaError) return undefined;
    throw error;
  }
}
