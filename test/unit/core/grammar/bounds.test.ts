import { describe, expect, test } from 'vitest';
import { schemaGrammar } from '../../../../src/core/grammar/compile.ts';
import { SchemaError } from '../../../../src/core/grammar/schema/schema-error.ts';
import { choiceGrammar, patternGrammar } from '../../../../src/core/grammar/text-grammar.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

function nested(depth: number, around: (inner: object) => object): object {
  let schema: object = { type: 'string' };
  for (let level = 0; level < depth; level++) schema = around(schema);
  return schema;
}

const named = (count: number) =>
  Object.fromEntries(many(count, (index) => [`p${index}`, { type: 'string' }]));

/** The message of the SchemaError that some work throws. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof SchemaError) return error.text;
    throw error;
  }
  return 'nothing';
}

// Each of these once took minutes or overflowed something. A machine that is busy takes seconds.
describe('what is too large is refused at once', { timeout: 60_000 }, () => {
  test.each<[what: string, refused: RegExp, work: () => unknown]>([
    ['a long repetition', /repeats more/, () => patternGrammar('a{100000}')],
    ['nested repetitions', /too complex/, () => patternGrammar('(?:a{1000}){1000}')],
    ['exponentially many states', /too complex/, () => patternGrammar('[ab]*a[ab]{20}')],
    ['a long pattern', /too complex/, () => patternGrammar('ab'.repeat(200_000))],
    [
      'many alternatives of a pattern',
      /too complex/,
      () => patternGrammar(many(30_000, (index) => `w${index}`).join('|')),
    ],
    [
      'many groups in each other',
      /too complex/,
      () => patternGrammar(`${'('.repeat(10_000)}a${')'.repeat(10_000)}`),
    ],
    ['many choices', /too complex/, () => choiceGrammar(many(100_000, (index) => `c ${index}`))],
    ['a long choice', /too complex/, () => choiceGrammar(['x'.repeat(2_000_000)])],
    ['a long value', /too complex/, () => schemaGrammar({ enum: ['x'.repeat(2_000_000)] })],
    [
      'many values',
      /too many values/,
      () => schemaGrammar({ enum: many(100_000, (index) => index) }),
    ],
    [
      'many properties',
      /too complex/,
      () => schemaGrammar({ type: 'object', properties: named(100_000) }, { strict: false }),
    ],
    [
      'many objects that overlap',
      /too many combinations/,
      () =>
        schemaGrammar({
          oneOf: many(500, (index) => ({ type: 'object', required: [`k${index}`] })),
        }),
    ],
    [
      'deep properties',
      /nested too deeply/,
      () => schemaGrammar(nested(10_000, (a) => ({ type: 'object', properties: { a } }))),
    ],
    [
      'deep elements',
      /nested too deeply/,
      () => schemaGrammar(nested(10_000, (items) => ({ type: 'array', items }))),
    ],
  ])('%s', (_, refused, work) => {
    expect(refusal(work)).toMatch(refused);
  });
});

describe('what is large is possible', { timeout: 60_000 }, () => {
  test.each<[what: string, work: () => string]>([
    ['a long repetition', () => patternGrammar('.{2000}')],
    ['many choices', () => choiceGrammar(many(10_000, (index) => `choice ${index}`))],
    ['large counts', () => schemaGrammar({ type: 'string', minLength: 1e8, maxLength: 1e9 })],
    ['many elements', () => schemaGrammar({ type: 'array', minItems: 1e8, maxItems: 1e9 })],
  ])('%s', (_, work) => {
    expect(work().length).toBeLessThan(60_000);
  });
});
