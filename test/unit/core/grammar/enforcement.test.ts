import { Ajv2020 } from 'ajv/dist/2020.js';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { schemaGrammar } from '../../../../src/core/grammar/compile.ts';
import { regularExpression } from '../../../../src/core/grammar/pattern.ts';
import type { Case } from './cases.ts';
import { CLIENT_CASES } from './client-cases.ts';
import { COMBINED_CASES } from './combined-cases.ts';
import { CompiledGrammar, randomFrom } from './grammar-engine.ts';
import { NUMBER_CASES } from './number-cases.ts';
import { OBJECT_CASES } from './object-cases.ts';
import { REFERENCE_CASES } from './reference-cases.ts';
import { STRING_CASES } from './string-cases.ts';

const SAMPLES = 12;
const MUTANTS = 8;
/** Bytes: a random text that is longer has most likely lost itself in nesting. */
const LIMIT = 600;

/** The formats are those of the grammar: their own tests are the examples beside them. */
const OPTIONS = {
  strict: false,
  validateFormats: false,
  code: { regExp: Object.assign(regularExpression, { code: 'regularExpression' }) },
};
const SUITES = {
  numbers: NUMBER_CASES,
  strings: STRING_CASES,
  'objects and arrays': OBJECT_CASES,
  'alternatives and conjunctions': COMBINED_CASES,
  'references and annotations': REFERENCE_CASES,
  'schemas that clients make': CLIENT_CASES,
};

function validator({ schema }: Case) {
  const isDraft7 = JSON.stringify(schema).includes('draft-07');
  const ajv = isDraft7 ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  // Booleans are schemas too.
  return ajv.compile(
    Object(schema) === schema || typeof schema === 'boolean' ? (schema as object) : {},
  );
}

/** Texts that differ from one by a little: what a grammar lets pass of them must be valid too. */
function mutants(text: string, random: () => number): string[] {
  const at = () => Math.floor(random() * (text.length + 1));
  return Array.from({ length: MUTANTS }, () => {
    const [from, to] = [at(), at()];
    const change = ['', '0', '9', '"', '.', 'a', '-', text.slice(from, from + 3)];
    const piece = change[Math.floor(random() * change.length)] ?? '';
    return text.slice(0, to) + piece + text.slice(to + Math.floor(random() * 3));
  });
}

describe.each(Object.entries(SUITES))('%s', (_name, cases) => {
  const titled = cases.map((item) => [JSON.stringify(item.schema).slice(0, 160), item] as const);

  test.each(titled)('%s', async (_title, item) => {
    const grammar = await CompiledGrammar.compile(schemaGrammar(item.schema, 'schema'));
    const isValid = validator(item);
    const random = randomFrom(1);
    for (let count = 0; count < SAMPLES; count++) {
      const sample = await grammar.sample(random, LIMIT);
      if (sample === undefined) continue;
      for (const text of [sample, ...mutants(sample, random)]) {
        if (text === sample || grammar.accepts(text)) {
          expect(isValid(JSON.parse(text)), `writes ${text}`).toBe(true);
        }
      }
    }
    for (const value of item.valid) {
      const text = JSON.stringify(value);
      expect(grammar.accepts(text), `accepts ${text}`).toBe(true);
      expect(isValid(value), `Ajv accepts ${text}`).toBe(true);
    }
    for (const value of item.invalid) {
      const text = JSON.stringify(value);
      expect(grammar.accepts(text), `refuses ${text}`).toBe(false);
    }
    grammar.dispose();
  });
});

test('there are at least 300 of them', () => {
  expect(Object.values(SUITES).flat().length).toBeGreaterThanOrEqual(300);
});
