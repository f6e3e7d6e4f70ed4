import { describe, expect, test } from 'vitest';
import { membersGrammar, schemaGrammar } from '../../../../src/core/grammar/compile.ts';
import { KEYWORDS } from './support/notations.ts';
import { CompiledGrammar } from './support/grammar-engine.ts';
import { REFUSALS } from './cases/refused-cases.ts';

const TEXTS = { type: 'array', items: { type: 'string' }, uniqueItems: true };
const inTool = (a: unknown, more: object = {}) => ({
  type: 'object',
  properties: { a, b: { type: 'integer' } },
  required: ['b'],
  ...more,
});

/** Schemas that cannot be enforced as a whole; what is held all the same, and what is not any more. */
const CASES: [name: string, schema: object, accepted: string[], rejected: string[]][] = [
  ['a set of texts', inTool(TEXTS), ['{"a":["x","x"],"b":1}'], ['{"a":[1],"b":1}', '{"b":"x"}']],
  [
    'word boundaries',
    inTool({ type: 'string', pattern: '\\bfoo\\b' }),
    ['{"a":"x","b":1}'],
    ['{"a":1,"b":1}'],
  ],
  [
    'flags of Python',
    inTool({ pattern: '(?i)^abc$', maxLength: 2 }),
    ['{"a":"xy","b":1}'],
    ['{"a":"xyz","b":1}'],
  ],
  [
    'Unicode properties',
    inTool({ type: 'string', pattern: '^\\p{L}+$' }),
    ['{"a":"x","b":1}'],
    ['{"b":1.5}'],
  ],
  [
    'required: null',
    { ...inTool({ type: 'string' }), required: null },
    ['{"a":"x"}', '{}'],
    ['{"a":1}'],
  ],
  ['properties: null', { type: 'object', properties: null }, ['{}', '{"x":1}'], ['1']],
  [
    'unevaluatedProperties',
    inTool(true, { unevaluatedProperties: false }),
    ['{"b":1}'],
    ['{"b":"x"}', '{}'],
  ],
  [
    'a remote reference',
    inTool({ $ref: 'https://example.com/x.json' }),
    ['{"a":[1],"b":1}'],
    ['{"b":"x"}'],
  ],
  [
    'several at once',
    inTool(
      { ...TEXTS, items: { pattern: '\\bx' } },
      { properties: { a: TEXTS, b: { const: 1, $dynamicRef: '#x' } } },
    ),
    ['{"a":["x"],"b":1}'],
    ['{"b":2}'],
  ],
  [
    'in not',
    inTool(true, { not: { required: ['a'], unevaluatedProperties: false } }),
    ['{"b":1}', '{"a":1,"b":1}'],
    ['{"b":"x"}'],
  ],
  [
    'in if',
    inTool(true, { if: { unevaluatedProperties: false }, then: { required: ['a'] } }),
    ['{"b":1}'],
    ['{}'],
  ],
  [
    'in oneOf',
    inTool({ oneOf: [TEXTS, { type: 'array', items: { const: 'x' }, maxItems: 1 }] }),
    ['{"a":["x"],"b":1}', '{"a":["y","z"],"b":1}'],
    ['{"a":"x","b":1}'],
  ],
  [
    'in a definition',
    { ...inTool({ $ref: '#/$defs/a.b' }), $defs: { 'a.b': TEXTS } },
    ['{"a":["x"],"b":1}'],
    ['{"a":[1],"b":1}'],
  ],
  [
    'a bound of 1e400',
    inTool({ type: 'number', maximum: Infinity }),
    ['{"a":1,"b":1}'],
    ['{"a":"x","b":1}'],
  ],
  ['no schema at all', inTool('string'), ['{"a":1,"b":1}'], ['{"b":"x"}']],
  ['nothing is valid', inTool(false, { required: ['a'] }), ['{}', '{"x":[]}'], ['1', '[]']],
];

describe.each(CASES)('%s', (_name, schema, accepted, rejected) => {
  test('is refused if the caller insists', () => {
    expect(() => schemaGrammar(schema)).toThrow();
  });

  test('is held as far as it can be', async () => {
    const grammar = await CompiledGrammar.compile(schemaGrammar(schema, { lenient: true }));
    expect(accepted.filter((text) => !grammar.accepts(text))).toEqual([]);
    expect(rejected.filter((text) => grammar.accepts(text))).toEqual([]);
    grammar.dispose();
    expect(membersGrammar(schema, KEYWORDS, { lenient: true })).toContain('root ::=');
  });
});

test('a grammar is found for every schema that is refused', () => {
  for (const { schema } of REFUSALS) {
    expect(schemaGrammar(schema, { lenient: true })).toContain('root ::=');
  }
});
