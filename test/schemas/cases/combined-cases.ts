import { enforced, object, type Case } from '../../unit/core/grammar/cases/cases.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };

/** Texts that hardly share any parts. */
const LONG_TEXTS = Array.from({ length: 1200 }, (_, index) =>
  String(2 ** 50 + index * 7919 ** 3).repeat(2),
);

const values = [
  enforced(true, [1, 'a', null, {}, []]),
  enforced({}, [1, { a: [null] }]),
  enforced({ type: 'null' }, [null], [0, false]),
  enforced({ type: 'boolean' }, [true, false], ['true', 0]),
  enforced({ type: ['string', 'integer', 'null'] }, ['a', 1, null], [1.5, true]),
  enforced({ type: ['object', 'array'] }, [{}, []], [1]),
  enforced({ enum: ['a', 'b'] }, ['a', 'b'], ['c']),
  enforced(
    { type: 'string', enum: ['red', 'green', 'naïve', 'a"b', 'éa'] },
    ['red', 'naïve', 'a"b', 'éa'],
    ['re'],
  ),
  enforced({ format: 'positiveInteger' }, [1, 'a', null]),
  enforced({ format: 'date' }, ['2024-01-31'], ['a', 1]),
  enforced({ format: 'int32' }, [1], [2 ** 31, 'a']),
  enforced({ enum: LONG_TEXTS }, LONG_TEXTS.slice(-2), ['1']),
  enforced({ enum: [1, 'a', null, true, 1.5] }, [1, 'a', null, true, 1.5], [2, false]),
  enforced({ type: 'integer', enum: [1, 2.5, 'x'] }, [1], [2.5, 'x']),
  enforced({ enum: [{ a: 1 }, [1, 2]] }, [{ a: 1 }, [1, 2]], [{}]),
  enforced({ const: 'x' }, ['x'], ['y']),
  enforced({ const: 5, type: 'integer' }, [5], [6]),
  enforced({ const: null }, [null], [0]),
  enforced({ const: { kind: 'a', list: [1] } }, [{ kind: 'a', list: [1] }], [{}]),
  enforced({ const: 'a', enum: ['a', 'b'] }, ['a'], ['b']),
  enforced({ enum: [1, 5, 10], minimum: 3 }, [5, 10], [1]),
  enforced({ enum: ['a', 'abc'], minLength: 2 }, ['abc'], ['a']),
  enforced({ enum: ['a1', 'b'], pattern: '\\d' }, ['a1'], ['b']),
  enforced({ enum: [[1], [1, 2]], minItems: 2 }, [[1, 2]], [[1]]),
  enforced({ enum: [{ a: 1 }, { b: 1 }], required: ['a'] }, [{ a: 1 }], [{ b: 1 }]),
];

const KIND_A = object({ kind: { const: 'a' }, x: INTEGER });
const KIND_B = object({ kind: { const: 'b' }, y: STRING });

const alternatives = [
  enforced({ anyOf: [STRING, INTEGER] }, ['a', 1], [null, 1.5]),
  enforced({ anyOf: [STRING, { type: 'null' }] }, ['a', null], [1]),
  enforced({ anyOf: [STRING, { type: 'string', maxLength: 2 }] }, ['abc'], [1]),
  enforced(
    { type: 'string', anyOf: [{ minLength: 5 }, { maxLength: 2 }] },
    ['ab', 'abcde'],
    ['abc'],
  ),
  enforced(
    { anyOf: [KIND_A, KIND_B] },
    [
      { kind: 'a', x: 1 },
      { kind: 'b', y: '' },
    ],
    [{ kind: 'a', y: '' }],
  ),
  enforced(
    { oneOf: [KIND_A, KIND_B] },
    [
      { kind: 'a', x: 1 },
      { kind: 'b', y: '' },
    ],
    [{ kind: 'b', x: 1 }],
  ),
  enforced({ oneOf: [STRING, INTEGER, { type: 'null' }] }, ['a', 1, null], [true]),
  enforced({ oneOf: [{ enum: ['a', 'b'] }, { enum: ['c'] }] }, ['a', 'c'], ['d']),
  enforced(
    {
      oneOf: [
        { type: 'integer', maximum: 0 },
        { type: 'integer', minimum: 10 },
      ],
    },
    [0, 10],
    [5],
  ),
  enforced(
    {
      oneOf: [
        { type: 'number', maximum: 0 },
        { type: 'number', exclusiveMinimum: 0 },
      ],
    },
    [0, 0.5],
  ),
  enforced(
    {
      oneOf: [
        { type: 'string', maxLength: 2 },
        { type: 'string', minLength: 3 },
      ],
    },
    ['ab', 'abc'],
  ),
  enforced(
    {
      oneOf: [
        { type: 'string', pattern: '^a' },
        { type: 'string', pattern: '^b' },
      ],
    },
    ['a', 'bc'],
    ['c'],
  ),
  enforced(
    {
      oneOf: [
        { type: 'array', maxItems: 1 },
        { type: 'array', minItems: 2 },
      ],
    },
    [[1], [1, 2]],
  ),
  enforced({ oneOf: [STRING, { type: 'array', items: STRING }] }, ['a', ['a']], [1]),
  enforced(
    {
      type: 'object',
      oneOf: [
        { properties: { a: STRING }, required: ['a'], additionalProperties: false },
        { properties: { b: STRING }, required: ['b'], additionalProperties: false },
      ],
    },
    [{ a: '' }, { b: '' }],
    [{}, { a: '', b: '' }],
  ),
  enforced({ anyOf: [{ anyOf: [STRING, INTEGER] }, { type: 'null' }] }, ['a', 1, null], [true]),
  enforced(
    {
      type: 'object',
      properties: { a: STRING, b: STRING },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    [{ a: '' }, { b: '' }, { a: '', b: '' }],
    [{}],
  ),
  enforced({ anyOf: [{ type: 'string' }], oneOf: [{ maxLength: 1 }] }, ['a'], ['ab']),
  enforced(object({ v: { anyOf: [KIND_A, { type: 'null' }] } }), [
    { v: null },
    { v: { kind: 'a', x: 1 } },
  ]),
];

const conjunctions = [
  enforced({ allOf: [STRING] }, ['a'], [1]),
  enforced({ allOf: [STRING, { minLength: 2 }] }, ['ab'], ['a']),
  enforced({ allOf: [{ type: 'integer', minimum: 2 }, { maximum: 4 }] }, [2, 4], [1, 5]),
  enforced({ allOf: [{ minimum: 1 }, { minimum: 3 }], type: 'integer' }, [3], [2]),
  enforced(
    { allOf: [{ type: ['string', 'null'] }, { type: ['string', 'integer'] }] },
    ['a'],
    [null, 1],
  ),
  enforced({ allOf: [{ type: 'number' }, { type: 'integer' }] }, [1], [1.5]),
  enforced(
    { allOf: [{ pattern: '^a' }, { pattern: 'z$' }], type: 'string' },
    ['az', 'abz'],
    ['a', 'z'],
  ),
  enforced({ allOf: [{ enum: [1, 2, 3] }, { enum: [2, 3, 4] }] }, [2, 3], [1, 4]),
  enforced(
    {
      allOf: [
        { type: 'object', properties: { a: INTEGER }, required: ['a'] },
        { type: 'object', properties: { b: STRING }, required: ['b'] },
      ],
    },
    [{ a: 1, b: '' }],
    [{ a: 1 }, { b: '' }],
  ),
  enforced(
    {
      allOf: [
        { type: 'object', properties: { a: INTEGER } },
        { type: 'object', properties: { a: { minimum: 5 } }, required: ['a'] },
      ],
    },
    [{ a: 5 }],
    [{ a: 4 }, {}],
  ),
  enforced(
    {
      allOf: [
        { type: 'array', items: INTEGER },
        { items: { minimum: 1 }, minItems: 1 },
      ],
    },
    [[1, 2]],
    [[0], []],
  ),
  enforced(
    { allOf: [{ anyOf: [STRING, INTEGER] }, { anyOf: [INTEGER, { type: 'null' }] }] },
    [1],
    ['a', null],
  ),
];

export const COMBINED_CASES: Case[] = [...values, ...alternatives, ...conjunctions];
