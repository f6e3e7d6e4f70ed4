import { Ajv2020 } from 'ajv/dist/2020.js';
import { Ajv } from 'ajv';
import { expect } from 'vitest';
import { schemaGrammar } from '../../../src/core/grammar/compile.ts';
import { regularExpression } from '../../../src/core/grammar/regular/pattern.ts';
import type { Case } from '../../unit/core/grammar/cases/cases.ts';
import { CompiledGrammar, randomFrom } from '../../unit/core/grammar/support/grammar-engine.ts';

const SAMPLES = 12;
const MUTANTS = 8;
/** Bytes. A longer random text is most likely nested without end. */
const LIMIT = 600;

/** Ajv does not check formats, since it defines them differently. Examples test them instead. */
const OPTIONS = {
  strict: false,
  validateFormats: false,
  // Otherwise, Ajv computes 0.3 / 0.1, which is not an integer in floating point.
  multipleOfPrecision: 9,
  code: { regExp: Object.assign(regularExpression, { code: 'regularExpression' }) },
};

/** How Ajv judges a text: which schema it uses, and how the text reads under that schema. */
export interface Reference {
  schema: unknown;
  translate: (text: string) => string;
}

/**
 * Compiles the schema and runs its grammar in XGrammar: random texts that it allows must be valid, the
 * case's valid values must be accepted and its invalid values refused.
 */
export async function expectEnforced(
  { schema, valid, invalid, strict }: Case,
  reference: Reference = { schema, translate: (text) => text },
  samples = SAMPLES,
): Promise<void> {
  const grammar = await CompiledGrammar.compile(schemaGrammar(schema, { strict }));
  const validate = validator(reference.schema);
  const isValid = (text: string) => validate(JSON.parse(reference.translate(text)));
  for (const text of await allowedTexts(grammar, samples)) {
    expect(isValid(text), `writes ${text}`).toBe(true);
  }
  for (const text of valid.map((value) => JSON.stringify(value))) {
    expect(grammar.accepts(text), `accepts ${text}`).toBe(true);
    expect(isValid(text), `Ajv accepts ${text}`).toBe(true);
  }
  for (const text of invalid.map((value) => JSON.stringify(value))) {
    expect(grammar.accepts(text), `refuses ${text}`).toBe(false);
  }
  grammar.dispose();
}

function validator(schema: unknown) {
  const isDraft7 = JSON.stringify(schema).includes('draft-07');
  const ajv = isDraft7 ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  // Booleans are schemas too.
  return ajv.compile(
    Object(schema) === schema || typeof schema === 'boolean' ? (schema as object) : {},
  );
}

/** Random texts that the grammar allows, and those of their mutants that it allows too. */
async function allowedTexts(grammar: CompiledGrammar, samples: number): Promise<string[]> {
  const random = randomFrom(1);
  const texts: string[] = [];
  for (let count = 0; count < samples; count++) {
    const sample = await grammar.sample(random, LIMIT);
    if (sample === undefined) continue;
    texts.push(sample, ...mutants(sample, random).filter((text) => grammar.accepts(text)));
  }
  return texts;
}

/** Texts that differ from a given text by a few characters. */
function mutants(text: string, random: () => number): string[] {
  const at = () => Math.floor(random() * (text.length + 1));
  return Array.from({ length: MUTANTS }, () => {
    const [from, to] = [at(), at()];
    const change = ['', '0', '9', '"', '.', 'a', '-', text.slice(from, from + 3)];
    const piece = change[Math.floor(random() * change.length)] ?? '';
    return text.slice(0, to) + piece + text.slice(to + Math.floor(random() * 3));
  });
}
