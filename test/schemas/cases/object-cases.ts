import { enforced, object, type Case } from '../../unit/core/grammar/cases/cases.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const BOOLEAN = { type: 'boolean' };

const objects = [
  enforced({ type: 'object' }, [{}, { a: 1, b: [{}] }], [[], 1]),
  enforced({ type: 'object', properties: {} }, [{}], [[]]),
  enforced(object({ a: STRING }), [{ a: '' }, { a: 'x' }], [{}, { a: 1 }, { a: '', b: 1 }]),
  enforced(object({ a: STRING, b: INTEGER }), [{ a: '', b: 1 }], [{ a: '' }, { b: 1 }]),
  enforced({ type: 'object', properties: { a: STRING, b: INTEGER, c: BOOLEAN } }, [
    ...[{}, { a: '' }, { b: 1 }, { c: true }, { a: '', c: false }, { b: 1, c: true }],
    { a: '', b: 1, c: true },
  ]),
  enforced(
    { type: 'object', properties: { a: STRING, b: INTEGER }, required: ['b'] },
    [...[{ b: 1 }, { a: '', b: 1 }]],
    [{ a: '' }, {}],
  ),
  enforced({ type: 'object', required: ['x'] }, [{ x: 1 }, { x: { y: null } }], [{}, { y: 1 }]),
  enforced({ properties: { a: STRING }, required: ['a'] }, [{ a: '' }], [{}]),
  enforced(object({ 'a b': STRING, 'c"d': INTEGER, é: BOOLEAN, éa: BOOLEAN }), [
    { 'a b': '', 'c"d': 1, é: true, éa: false },
  ]),
  enforced({ type: 'object', additionalProperties: INTEGER }, [{}, { a: 1, b: 2 }], [{ a: '' }]),
  enforced(
    { type: 'object', additionalProperties: true, properties: { a: INTEGER } },
    [...[{}, { a: 1 }, { a: 1, b: '' }, { ab: 'x' }, { '': 1 }]],
    [{ a: 'x' }],
  ),
  enforced({ type: 'object', additionalProperties: {}, properties: { a: INTEGER } }, [{ b: [] }]),
  enforced(
    { type: 'object', additionalProperties: STRING, properties: { n: INTEGER }, required: ['n'] },
    [...[{ n: 1 }, { n: 1, x: 'y' }]],
    [{ x: 'y' }, { n: 1, x: 2 }],
  ),
  enforced({ type: 'object', additionalProperties: false }, [{}], [{ a: 1 }]),
  enforced(
    { type: 'object', patternProperties: { '^x-': BOOLEAN }, additionalProperties: false },
    [...[{}, { 'x-a': true }, { 'x-': false, 'x-b': true }]],
    [{ a: true }, { 'x-a': 1 }],
  ),
  enforced(
    {
      type: 'object',
      patternProperties: { '^a': INTEGER, z$: { minimum: 5 } },
      additionalProperties: false,
    },
    [...[{ a: 1 }, { az: 5 }, { z: 6 }]],
    [{ az: 4 }, { b: 1 }],
  ),
  enforced(
    { type: 'object', patternProperties: { '^n_': INTEGER }, additionalProperties: STRING },
    [{ n_a: 1, b: 'x' }],
    [{ n_a: 'x' }, { b: 1 }],
  ),
  enforced(
    { type: 'object', properties: { ab: STRING }, patternProperties: { '^a': { maxLength: 2 } } },
    [...[{ ab: 'xy' }, {}]],
    [{ ab: 'xyz' }],
  ),
  enforced(
    { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: INTEGER },
    [...[{}, { a: 1 }, { b: 2 }, { a: 1, b: 2 }]],
    [{ c: 1 }, { a: '' }],
  ),
  enforced(
    { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: INTEGER },
    [{ ab: 1 }],
    [{ A: 1 }],
  ),
  enforced(
    {
      type: 'object',
      propertyNames: { maxLength: 3, minLength: 1 },
      additionalProperties: INTEGER,
    },
    [{ abc: 1 }],
    [{ abcd: 1 }, { '': 1 }],
  ),
  enforced({ type: 'object', propertyNames: { type: 'integer' } }, [{}], [{ a: 1 }, { 1: 1 }]),
  enforced({ type: 'object', propertyNames: { minLength: 2, maxLength: 1 } }, [{}], [{ a: 1 }]),
  enforced({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: STRING }, [
    { a: '' },
  ]),
  enforced(
    { type: 'object', properties: { a: STRING, b: STRING, c: STRING }, minProperties: 1 },
    [...[{ a: '' }, { c: '' }, { a: '', b: '', c: '' }]],
    [{}],
  ),
  enforced(
    {
      type: 'object',
      properties: { a: STRING, b: STRING, c: STRING },
      minProperties: 2,
      maxProperties: 2,
    },
    [
      ...[
        { a: '', b: '' },
        { b: '', c: '' },
        { a: '', c: '' },
      ],
    ],
    [{}, { a: '' }, { a: '', b: '', c: '' }],
  ),
  enforced({ type: 'object', additionalProperties: INTEGER, minProperties: 1 }, [{ a: 1 }], [{}]),
  enforced(
    { type: 'object', additionalProperties: INTEGER, minProperties: 2 },
    [
      { key1: 1, key2: 2 },
      { a: 1, b: 2, c: 3, d: 4, e: 5 },
    ],
    [{}, { a: 1 }, { a: 1, b: 'x' }],
  ),
  enforced(
    { type: 'object', additionalProperties: INTEGER, minProperties: 3, maxProperties: 3 },
    [{ key1: 1, key2: 2, key3: 3 }],
    [{}, { a: 1 }, { a: 1, b: 1 }, { a: 1, b: 2, c: 3, d: 4 }],
  ),
  enforced(
    { type: 'object', additionalProperties: INTEGER, maxProperties: 2 },
    [{}, { a: 1, b: 2 }],
    [{ a: 1, b: 2, c: 3 }],
  ),
  enforced({ type: 'object', additionalProperties: INTEGER, maxProperties: 0 }, [{}], [{ a: 1 }]),
  enforced(
    object({ a: object({ b: object({ c: STRING }) }) }),
    [{ a: { b: { c: '' } } }],
    [{ a: {} }],
  ),
  enforced({ type: 'object', properties: { a: false, b: STRING } }, [{ b: '' }, {}], [{ a: 1 }]),
  enforced({ type: 'object', properties: { a: true }, required: ['a'] }, [{ a: [1] }, { a: null }]),
];

const arrays = [
  enforced({ type: 'array' }, [[], [1, 'a', null]], [{}]),
  enforced({ type: 'array', items: STRING }, [[], ['a', 'b']], [[1]]),
  enforced({ type: 'array', items: {} }, [[], [1]]),
  enforced({ items: INTEGER }, [[1]], [['a']]),
  enforced({ type: 'array', items: false }, [[]], [[1]]),
  enforced({ type: 'array', items: INTEGER, minItems: 1 }, [[1], [1, 2]], [[]]),
  enforced(
    { type: 'array', items: INTEGER, minItems: 3 },
    [
      [1, 2, 3],
      [1, 2, 3, 4],
    ],
    [[1, 2]],
  ),
  enforced({ type: 'array', items: INTEGER, maxItems: 2 }, [[], [1], [1, 2]], [[1, 2, 3]]),
  enforced({ type: 'array', items: INTEGER, maxItems: 1 }, [[], [1]], [[1, 2]]),
  enforced({ type: 'array', items: INTEGER, maxItems: 0 }, [[]], [[1]]),
  enforced({ type: 'array', items: INTEGER, minItems: 2, maxItems: 2 }, [[1, 2]], [[1], [1, 2, 3]]),
  enforced(
    { type: 'array', items: INTEGER, minItems: 2, maxItems: 4 },
    [
      [1, 2],
      [1, 2, 3, 4],
    ],
    [...[[1], [1, 2, 3, 4, 5]]],
  ),
  enforced(
    { type: 'array', items: BOOLEAN, uniqueItems: true, maxItems: 1 },
    [[], [true]],
    [[true, true]],
  ),
  enforced(
    { type: 'array', prefixItems: [STRING, INTEGER], items: false, minItems: 2 },
    [['a', 1]],
    [...[['a'], ['a', 1, 2], [1, 'a']]],
  ),
  enforced(
    { type: 'array', prefixItems: [STRING, INTEGER], items: false },
    [[], ['a'], ['a', 1]],
    [['a', 1, 2]],
  ),
  enforced(
    { type: 'array', prefixItems: [STRING], items: INTEGER },
    [[], ['a'], ['a', 1, 2]],
    [[1]],
  ),
  enforced({ type: 'array', prefixItems: [STRING] }, [['a'], ['a', null]], [[1]]),
  enforced(
    { type: 'array', prefixItems: [STRING], items: INTEGER, minItems: 3, maxItems: 4 },
    [
      ...[
        ['a', 1, 2],
        ['a', 1, 2, 3],
      ],
    ],
    [
      ['a', 1],
      ['a', 1, 2, 3, 4],
    ],
  ),
  enforced(
    { type: 'array', prefixItems: [STRING, STRING], maxItems: 1 },
    [[], ['a']],
    [['a', 'b']],
  ),
  enforced(
    { type: 'array', items: { type: 'array', items: INTEGER } },
    [[[]], [[1], [2, 3]]],
    [[1]],
  ),
  enforced(
    { type: 'array', items: object({ a: INTEGER }), maxItems: 3 },
    [[{ a: 1 }, { a: 2 }]],
    [[{}]],
  ),
  enforced(
    { type: 'array', items: { type: 'string', maxLength: 2 }, maxItems: 100 },
    [['ab']],
    [['abc']],
  ),
];

export const OBJECT_CASES: Case[] = [...objects, ...arrays];
