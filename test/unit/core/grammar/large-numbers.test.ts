import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { schemaGrammar } from '../../../../src/core/grammar/compile.ts';
import { CompiledGrammar } from './support/grammar-engine.ts';
import { refusalOf } from './support/refusal.ts';

/** Every run tests the same schemas. Another seed gives other schemas. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_126);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40);

/** Integers. Most are so large that a double cannot tell them from the next integer. */
const integer = fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n });

async function accepted(schema: object, integers: bigint[]): Promise<bigint[]> {
  const grammar = await CompiledGrammar.compile(schemaGrammar(schema));
  const found = integers.filter((value) => grammar.accepts(String(value)));
  grammar.dispose();
  return found;
}

test('bounds hold for integers of any size', { timeout: 120_000 }, async () => {
  const property = fc.asyncProperty(
    integer,
    fc.bigInt({ min: 0n, max: 99n }),
    async (low, more) => {
      const [minimum, maximum] = [low, low + more];
      const near = [low - 1n, low, maximum, maximum + 1n, maximum + 1000n];
      const found = await accepted({ type: 'integer', minimum, maximum }, near);
      expect(found).toEqual(near.filter((value) => value >= minimum && value <= maximum));
    },
  );
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
});

test('listed and excluded integers keep all their digits', { timeout: 120_000 }, async () => {
  const property = fc.asyncProperty(integer, async (value) => {
    const near = [value - 1n, value, value + 1n];
    expect(await accepted({ const: value }, near)).toEqual([value]);
    expect(await accepted({ enum: ['a', value + 1n] }, near)).toEqual([value + 1n]);
    const bounds = { minimum: value - 1n, maximum: value + 1n };
    const excluded = { type: 'integer', ...bounds, not: { const: value } };
    expect(await accepted(excluded, near)).toEqual([value - 1n, value + 1n]);
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
});

test('a bound that is a double is exact', async () => {
  // JavaScript writes it as 9223372036854776000, which is more.
  const near = [2n ** 63n, 2n ** 63n + 1n, 9223372036854776000n];
  expect(await accepted({ type: 'integer', maximum: 2 ** 63 }, near)).toEqual([2n ** 63n]);
});

test('integers inside listed values keep all their digits', async () => {
  const value = { id: 1234567890123456789n, more: [-(2n ** 63n)] };
  const grammar = await CompiledGrammar.compile(schemaGrammar({ const: value }));
  const text = '{"id":1234567890123456789,"more":[-9223372036854775808]}';
  expect(grammar.accepts(text)).toBe(true);
  expect(grammar.accepts(text.replace('789,', '800,'))).toBe(false);
  grammar.dispose();
});

test.each<[text: string, schema: object]>([
  ['5', { type: 'integer', const: 5n }],
  ['5', { enum: [5, 5n] }],
  ['5', { allOf: [{ const: 5n }, { const: 5 }] }],
  ['1000000000000000000000', { allOf: [{ const: 10n ** 21n }, { const: 1e21 }] }],
  ['7', { const: 7n, multipleOf: 3.5 }],
])('%s: a bigint is a number like any other', async (text, schema) => {
  const grammar = await CompiledGrammar.compile(schemaGrammar(schema));
  expect(grammar.accepts(text)).toBe(true);
  grammar.dispose();
});

test.each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'const'])(
  '%s: a number that no double holds is refused',
  (keyword) => {
    expect(refusalOf({ [keyword]: Infinity })).toEqual({ path: `.${keyword}` });
    expect(refusalOf({ [keyword]: 10n ** 400n })).toEqual({ path: `.${keyword}` });
  },
);

test('a listed value with a number that no double holds is refused', () => {
  expect(refusalOf({ enum: [1, { a: [-Infinity] }] })).toEqual({ path: '.enum' });
});

test.each([2 ** 53, 2 ** 63, 2 ** 64, 2n ** 63n - 1n])('%s as a limit is none', async (most) => {
  const limits = [
    [{ type: 'string', maxLength: most }, '"a"'],
    [{ type: 'array', maxItems: most }, '[1,2]'],
    [{ type: 'object', maxProperties: most }, '{"a":1}'],
  ] as const;
  for (const [schema, text] of limits) {
    const grammar = await CompiledGrammar.compile(schemaGrammar(schema));
    expect(grammar.accepts(text), `${text} under ${Object.keys(schema).join()}`).toBe(true);
    grammar.dispose();
  }
});
