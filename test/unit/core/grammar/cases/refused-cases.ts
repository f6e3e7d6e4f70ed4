import { refused, type Refusal } from './cases.ts';

const inProperty = (schema: object) => ({ type: 'object', properties: { a: schema } });

/** Keywords that the grammar cannot enforce. */
const UNSUPPORTED: [path: string, schema: object][] = [
  ['unevaluatedProperties', { type: 'object', unevaluatedProperties: false }],
  ['unevaluatedItems', { type: 'array', unevaluatedItems: false }],
  ['$dynamicRef', { $dynamicRef: '#x' }],
  ['uniqueItems', { type: 'array', items: { type: 'string' }, uniqueItems: true }],
  ['uniqueItems', { type: 'array', items: { enum: letters(30) }, uniqueItems: true }],
  ['uniqueItems', { type: 'array', prefixItems: [{ enum: [1] }], uniqueItems: true }],
  ['not.format', { not: { type: 'string', format: 'date' } }],
  ['not.uniqueItems', { not: { type: 'array', uniqueItems: true } }],
  ['not.contains', { not: { type: 'array', contains: {}, maxContains: 3 } }],
  ['$ref', { $ref: 'https://example.com/other' }],
  ['$ref', { $ref: '#/$defs/missing' }],
  ['$ref', { $ref: '#anchor' }],
  ['pattern', { type: 'string', pattern: '(a)\\1' }],
  ['pattern', { type: 'string', pattern: '(?<=a)b' }],
  ['pattern', { type: 'string', pattern: '(?<!a)b' }],
  ['pattern', { type: 'string', pattern: '\\bword\\b' }],
  ['pattern', { type: 'string', pattern: '\\p{L}' }],
  ['pattern', { type: 'string', pattern: '^\\012$' }],
  ['pattern', { type: 'string', pattern: '(?:(?=a)b)+c' }],
  ['pattern', { type: 'string', pattern: '^a{5000}$' }],
  ['pattern', { type: 'string', pattern: '^((a{90}){90}){90}$' }],
  ['pattern', { type: 'string', pattern: '^[ab]*a[ab]{30}$' }],
  ['exclusiveMinimum', { type: 'integer', exclusiveMinimum: 1e20 }],
];

function letters(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String.fromCharCode(0x61 + index));
}

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
  ['exclusiveMinimum', 'x'],
  ['uniqueItems', 1],
  ['not', 1],
  ['contains', []],
  ['dependencies', { a: 1 }],
  ['dependentRequired', { a: 1 }],
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
  { not: {} },
  { type: 'string', not: { type: 'string' } },
  { type: 'array', contains: false },
  { type: 'object', minProperties: 2, properties: { a: {} }, additionalProperties: false },
  { oneOf: [{ const: 1 }, { enum: [1] }] },
  { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 1 },
];

/** Schemas with valid values, but without any that the grammar has. */
const BEYOND: [schema: object, path: string][] = [
  [{ type: 'number', minimum: 1e-300, maximum: 2e-300 }, ''],
  [{ type: 'object', minProperties: 9 }, '.minProperties'],
  [{ anyOf: [false, { type: 'object', minProperties: 9 }] }, '.anyOf[1].minProperties'],
  [
    { type: 'object', minProperties: 9, not: { additionalProperties: { type: 'string' } } },
    '.minProperties',
  ],
];

const notExclusive: [schema: object, path: string][] = [
  [
    {
      oneOf: [
        { type: 'string', minLength: 1 },
        { type: 'string', format: 'date' },
      ],
    },
    '.oneOf[0]',
  ],
  [{ oneOf: [{ type: 'array', uniqueItems: true }, { type: 'array' }] }, '.oneOf[1]'],
];

export const REFUSALS: Refusal[] = [
  ...UNSUPPORTED.map(([keyword, schema]) => refused(schema, `.${keyword}`)),
  ...BEYOND.map(([schema, path]) => refused(schema, path)),
  ...UNSUPPORTED.map(([keyword, schema]) =>
    refused(inProperty(schema), `.properties.a.${keyword}`),
  ),
  ...WRONG.map(([keyword, value]) => refused({ [keyword]: value }, `.${keyword}`)),
  ...unsatisfiable.map((schema) => refused(schema, '')),
  ...notExclusive.map(([schema, path]) => refused(schema, path)),
  ...['a', 1, null, []].map((schema) => refused(schema, '')),
  refused({ anyOf: [{}, { $dynamicRef: '#' }] }, '.anyOf[1].$dynamicRef'),
  refused({ allOf: ['x'] }, '.allOf[0]'),
  refused({ type: 'array', items: { items: { $dynamicRef: '#' } } }, '.items.items.$dynamicRef'),
  refused({ type: 'array', prefixItems: [{}, { type: 'x' }] }, '.prefixItems[1].type'),
  refused({ properties: { 'a b': { type: 'x' } } }, '.properties["a b"].type'),
  refused({ $ref: '#/$defs/x', $defs: { x: { type: 'x' } } }, '.$defs.x.type'),
  refused({ dependentSchemas: { a: { type: 'x' } } }, '.dependentSchemas.a.type'),
  refused({ if: { type: 'x' }, then: false }, '.if.type'),
  refused({ not: { properties: { a: { type: 'x' } } } }, '.not.properties.a.type'),
];
