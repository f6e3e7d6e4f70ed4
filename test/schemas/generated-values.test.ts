import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { schemaGrammar } from '../../src/core/grammar/compile.ts';
import { regularExpression } from '../../src/core/grammar/regular/pattern.ts';
import { generatedSchemas, type Generated } from './support/generated-schemas.ts';
import { CompiledGrammar, randomFrom } from '../unit/core/grammar/support/grammar-engine.ts';

/** Every run tests the same schemas. Another seed gives other schemas. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 150);
const OPTIONS = {
  strict: false,
  multipleOfPrecision: 9,
  code: { regExp: Object.assign(regularExpression, { code: 'regularExpression' }) },
};

type Random = () => number;

/** A value in which one part is another one. */
function mutated(value: unknown, random: Random, other: unknown): unknown {
  const pick = (count: number) => Math.floor(random() * count);
  if (Array.isArray(value) && value.length > 0 && random() < 0.7) {
    const at = pick(value.length);
    if (random() < 0.3) return value.filter((_, index) => index !== at);
    return value.map((item: unknown, index) =>
      index === at ? mutated(item, random, other) : item,
    );
  }
  if (typeof value === 'object' && value !== null && random() < 0.7) {
    const entries = Object.entries(value);
    const [key] = entries[pick(entries.length)] ?? ['new'];
    if (random() < 0.3) return Object.fromEntries(entries.filter(([name]) => name !== key));
    return { ...value, [key]: mutated(Reflect.get(value, key), random, other) };
  }
  return typeof value === 'string' && random() < 0.5 ? `${value}b` : other;
}

/** Checks values of a schema, and the same ones with a change. Returns how many were refused. */
async function check({ schema, value }: Generated, generate: fc.GeneratorValue, random: Random) {
  const validate = new Ajv2020(OPTIONS).compile(schema);
  const grammar = await CompiledGrammar.compile(schemaGrammar(schema, { strict: false }));
  let refusals = 0;
  for (let count = 0; count < 4; count++) {
    const valid = generate(() => value);
    const text = JSON.stringify(valid);
    expect(validate(valid), `generates ${text}`).toBe(true);
    expect(grammar.accepts(text), `accepts ${text}`).toBe(true);
    const other = generate(() => fc.jsonValue({ maxDepth: 1 }));
    const mutant = mutated(valid, random, other);
    if (validate(mutant)) continue;
    refusals++;
    const wrong = JSON.stringify(mutant);
    expect(grammar.accepts(wrong), `refuses ${wrong}`).toBe(false);
  }
  grammar.dispose();
  return refusals;
}

test(
  'values of a schema are accepted, values that Ajv refuses are refused',
  {
    timeout: 300_000,
  },
  async () => {
    let refusals = 0;
    const property = fc.asyncProperty(
      generatedSchemas,
      fc.gen(),
      fc.nat(),
      async (generated, generate, seed) => {
        refusals += await check(generated, generate, randomFrom(seed));
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
    expect(refusals).toBeGreaterThan(RUNS / 2);
  },
);
