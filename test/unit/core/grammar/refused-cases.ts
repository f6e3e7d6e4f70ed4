import { refused, type Refusal } from './cases.ts';

const inProperty = (schema: object) => ({ type: 'object', properties: { a: schema } });

/** Keywords that the grammar cannot enforce. */
const UNSUPPORTED: [keyword: string, schema: object][] = [
  ['not', { not: { type: 'string' } }],
  ['if', { if: { type: 'string' } }],
  ...['then'].map((keyword): [string, object] => [keyword, { [keyword]: { minLength: 1 } }]),
  ['else', { else: { minLength: 1 } }],
  ['contains', { type: 'array', contains: { type: 'string' } }],
  ['minContains', { type: 'array', minContains: 1 }],
  ['maxContains', { type: 'array', maxContains: 1 }],
  ['uniqueItems', { type: 'array', items: { type: 'string' }, uniqueItems: true }],
  ['dependentRequired', { type: 'object', dependentRequired: { a: ['b'] } }],
  ['dependentSchemas', { type: 'object', dependentSchemas: { a: {} } }],
  ['dependencies', { type: 'object', dependencies: { a: ['b'] } }],
  ['unevaluatedProperties', { type: 'object', unevaluatedProperties: false }],
  ['unevaluatedItems', { type: 'array', unevaluatedItems: false }],
  ['$dynamicRef', { $dynamicRef: '#x' }],
  ['$ref', { $ref: 'https://example.com/other' }],
  ['$ref', { $ref: '#/$defs/missing' }],
  ['$ref', { $ref: '#anchor' }],
  ['format', { type: 'string', format: 'regex' }],
  ['format', { type: 'string', format: 'no-such-format' }],
  ['pattern', { type: 'string', pattern: '(a)\\1' }],
  ['pattern', { type: 'string', pattern: '(?<=a)b' }],
  ['pattern', { type: 'string', pattern: '(?<!a)b' }],
  ['pattern', { type: 'string', pattern: '\\bword\\b' }],
  ['pattern', { type: 'string', pattern: '\\p{L}' }],
  ['pattern', { type: 'string', pattern: '(?:(?=a)b)+c' }],
  ['pattern', { type: 'string', pattern: '^a{5000}$' }],
  ['pattern', { type: 'string', pattern: '^((a{90}){90}){90}$' }],
  ['pattern', { type: 'string', pattern: '^[ab]*a[ab]{30}$' }],
  ['multipleOf', { type: 'number', multipleOf: 0.01 }],
  ['multipleOf', { type: 'integer', multipleOf: 7 }],
  ['multipleOf', { type: 'integer', multipleOf: 7, minimum: 0 }],
  ['multipleOf', { type: 'integer', multipleOf: 2, minimum: 0, maximum: 1_000_000 }],
  ['exclusiveMinimum', { type: 'integer', exclusiveMinimum: 1e20 }],
  ['maxLength', { type: 'string', maxLength: 100_000 }],
  ['minLength', { type: 'string', minLength: 100_000 }],
  ['maxItems', { type: 'array', maxItems: 100_000 }],
  ['minItems', { type: 'array', minItems: 100_000 }],
  ['maxProperties', { type: 'object', maxProperties: 100_000 }],
  ['minProperties', { type: 'object', minProperties: 2, additionalProperties: {} }],
  ['propertyNames.maxLength', { type: 'object', propertyNames: { maxLength: 2000 } }],
  ['propertyNames.minLength', { type: 'object', propertyNames: { minLength: 2000 } }],
  [
    'propertyNames',
    { type: 'object', propertyNames: { anyOf: [{ maxLength: 1 }, { minLength: 9 }] } },
  ],
];

/** Values that a keyword cannot have. */
const WRONG: [keyword: string, value: unknown][] = [
  ...(['type', 'enum', 'required', 'allOf', 'anyOf', 'oneOf'] as const).map(
    (keyword): [string, unknown] => [keyword, 'thing'],
  ),
  ...['properties', 'patternProperties', '$defs', 'definitions'].map(
    (keyword): [string, unknown] => [keyword, []],
  ),
  ...['additionalProperties', 'items', 'propertyNames'].map((keyword): [string, unknown] => [
    keyword,
    'x',
  ]),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].flatMap(
    (keyword): [string, unknown][] => [
      [keyword, -1],
      [keyword, '1'],
      [keyword, 1.5],
    ],
  ),
  ...['minimum', 'maximum', 'exclusiveMaximum', 'multipleOf'].map((keyword): [string, unknown] => [
    keyword,
    '1',
  ]),
  ['exclusiveMinimum', true],
  ['multipleOf', 0],
  ['type', ['string', 'thing']],
  ['type', []],
  ['enum', []],
  ['anyOf', []],
  ['required', [1]],
  ['pattern', '('],
  ['pattern', 1],
  ['patternProperties', { '(': {} }],
  ['format', 1],
  ['$ref', 1],
];

const unsatisfiable = [
  ...[false, { enum: ['a'], type: 'integer' }, { type: 'integer', minimum: 3, maximum: 2 }],
  ...[{ $ref: '#' }, { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
  ...[
    { type: 'string', minLength: 3, maxLength: 2 },
    { type: 'array', minItems: 3, maxItems: 2 },
  ],
  ...[{ allOf: [{ type: 'string' }, { type: 'integer' }] }, { type: 'string', pattern: 'a^' }],
  { type: 'object', required: ['a'], additionalProperties: false },
  { type: 'object', properties: { a: {} }, required: ['a'], maxProperties: 0 },
  { type: 'array', items: false, minItems: 1 },
  { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 1 },
];

const notExclusive: [schema: object, path: string][] = [
  [{ oneOf: [{ type: 'string' }, { type: 'string', maxLength: 3 }] }, '.oneOf[1]'],
  [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, '.oneOf[1]'],
  [{ oneOf: [{ type: 'object' }, { type: 'null' }, { type: ['array', 'null'] }] }, '.oneOf[2]'],
  [{ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }, '.oneOf[1]'],
  [{ oneOf: [{ minimum: 1 }, { maxLength: 1 }] }, '.oneOf[1]'],
];

export const REFUSALS: Refusal[] = [
  ...UNSUPPORTED.map(([keyword, schema]) => refused(schema, `.${keyword}`)),
  ...UNSUPPORTED.slice(0, 14).map(([keyword, schema]) =>
    refused(inProperty(schema), `.properties.a.${keyword}`),
  ),
  ...WRONG.map(([keyword, value]) => refused({ [keyword]: value }, `.${keyword}`)),
  ...unsatisfiable.map((schema) => refused(schema, '')),
  ...notExclusive.map(([schema, path]) => refused(schema, path)),
  ...['a', 1, null, []].map((schema) => refused(schema, '')),
  refused({ anyOf: [{}, { not: {} }] }, '.anyOf[1].not'),
  refused({ allOf: ['x'] }, '.allOf[0]'),
  refused({ type: 'array', items: { type: 'array', items: { not: {} } } }, '.items.items.not'),
  refused({ type: 'array', prefixItems: [{}, { not: {} }] }, '.prefixItems[1].not'),
  refused({ properties: { 'a b': { not: {} } } }, '.properties["a b"].not'),
  refused({ $ref: '#/$defs/x', $defs: { x: { not: {} } } }, '.$defs.x.not'),
];
