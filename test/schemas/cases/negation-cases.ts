import { enforced, object, type Case } from '../../unit/core/grammar/cases/cases.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const OBJECT = { type: 'object' };

const not = [
  enforced({ not: STRING }, [1, null, {}, []], ['a']),
  enforced({ not: { type: ['string', 'number'] } }, [null, true, []], ['a', 1, 1.5]),
  enforced({ type: 'number', not: INTEGER }, [1.5, -0.25], [1, 0, -3]),
  enforced({ not: { type: 'number' } }, ['a', null], [1, 1.5]),
  enforced({ ...STRING, not: { const: 'a' } }, ['', 'b', 'aa'], ['a']),
  enforced({ ...STRING, not: { enum: ['a', 'ab', 1] } }, ['', 'b', 'abc'], ['a', 'ab']),
  enforced(
    { type: ['integer', 'null', 'boolean'], not: { enum: [0, 7, null, true] } },
    [1, -7, 8, false],
    [...[0, 7, null, true]],
  ),
  enforced({ type: 'number', minimum: 0, maximum: 2, not: { const: 1 } }, [0, 0.5, 1.5, 2], [1, 3]),
  enforced({ ...STRING, not: { pattern: '^a' } }, ['', 'ba'], ['a', 'ab']),
  enforced({ ...STRING, not: { pattern: 'b' } }, ['', 'a\nc'], ['b', 'abc']),
  enforced({ ...STRING, not: { minLength: 3 } }, ['', 'ab'], ['abc']),
  enforced({ ...STRING, not: { maxLength: 2 } }, ['abc'], ['', 'ab']),
  enforced({ ...INTEGER, not: { minimum: 5 } }, [4, -1], [5, 6]),
  enforced({ ...INTEGER, not: { exclusiveMaximum: 5 } }, [5, 6], [4]),
  enforced({ ...INTEGER, minimum: 0, maximum: 20, not: { multipleOf: 3 } }, [1, 20], [0, 3, 18]),
  enforced(
    { type: 'number', minimum: 0, maximum: 2, not: { multipleOf: 0.5 } },
    [0.25, 1.7],
    [0, 1.5],
  ),
  enforced({ ...OBJECT, not: { required: ['a'] } }, [{}, { b: 1 }], [{ a: 1 }]),
  enforced(
    { ...OBJECT, not: { required: ['a', 'b'] } },
    [{}, { a: 1 }, { b: 1 }],
    [{ a: 1, b: 1 }],
  ),
  enforced(
    { ...OBJECT, properties: { a: STRING, b: STRING }, not: { required: ['a', 'b'] } },
    [{}, { a: '' }, { b: '' }],
    [{ a: '', b: '' }, { c: 1 }],
  ),
  enforced(
    { ...OBJECT, properties: { a: INTEGER }, not: { properties: { a: { minimum: 3 } } } },
    [{ a: 2 }],
    [{}, { a: 3 }],
  ),
  enforced({ ...OBJECT, not: { minProperties: 1 } }, [{}], [{ a: 1 }]),
  enforced({ ...OBJECT, not: { maxProperties: 0 } }, [{ a: 1 }], [{}]),
  enforced({ ...OBJECT, not: { additionalProperties: INTEGER } }, [{ a: 'x' }], [{}, { a: 1 }]),
  enforced(
    { ...OBJECT, not: { properties: { a: {} }, additionalProperties: false } },
    [{ b: 1 }, { b: 1, c: 2 }],
    [{}, { a: 1 }],
  ),
  enforced(
    { ...OBJECT, not: { patternProperties: { '^x': STRING } } },
    [{ x: 1 }],
    [{}, { x: 'a' }],
  ),
  enforced({ ...OBJECT, not: { propertyNames: { pattern: '^a' } } }, [{ b: 1 }], [{}, { a: 1 }]),
  enforced({ type: 'array', not: { items: INTEGER } }, [['a'], [1, 'a', 2]], [[], [1]]),
  enforced({ type: 'array', not: { minItems: 2 } }, [[], [1]], [[1, 2]]),
  enforced({ type: 'array', not: { maxItems: 1 } }, [[1, 2]], [[], [1]]),
  enforced({ type: 'array', not: { prefixItems: [INTEGER] } }, [['a'], ['a', 1]], [[], [1]]),
  enforced({ type: 'array', not: { contains: INTEGER } }, [[], ['a']], [[1], ['a', 1]]),
  enforced({ not: { not: STRING } }, ['a'], [1]),
  enforced({ ...STRING, not: { anyOf: [{ const: 'a' }, { const: 'b' }] } }, ['c'], ['a', 'b']),
  enforced(
    { ...STRING, not: { allOf: [{ minLength: 2 }, { pattern: '^a' }] } },
    ['a', 'bb'],
    ['ab'],
  ),
  enforced({ ...INTEGER, not: { oneOf: [{ minimum: 0 }, { maximum: 10 }] } }, [0, 10], [-1, 11]),
  enforced({ not: { $ref: '#/$defs/a' }, $defs: { a: STRING } }, [1], ['a']),
  enforced({ ...OBJECT, not: { const: { a: 1 } } }, [{}, { a: 2 }, { a: 1, b: 1 }], [{ a: 1 }]),
  enforced({ type: 'array', not: { enum: [[], [1]] } }, [[2], [1, 1]], [[], [1]]),
  enforced({ enum: [['foo'], 'a'], not: STRING }, [['foo']], ['a']),
];

const overlapping = [
  enforced({ oneOf: [STRING, { ...STRING, maxLength: 3 }] }, ['abcd'], ['abc']),
  enforced({ oneOf: [INTEGER, { type: 'number' }] }, [1.5], [1]),
  enforced({ oneOf: [{ multipleOf: 5 }, { multipleOf: 3 }], ...INTEGER }, [5, 9], [15, 7]),
  enforced(
    { ...OBJECT, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    [{ a: 1 }, { b: 1 }],
    [{}, { a: 1, b: 1 }],
  ),
  enforced(
    {
      oneOf: [
        { ...OBJECT, properties: { a: STRING }, additionalProperties: false },
        { ...OBJECT, properties: { b: STRING }, additionalProperties: false },
      ],
    },
    [{ a: '' }, { b: '' }],
    [{}, { a: '', b: '' }],
  ),
  enforced({ ...INTEGER, oneOf: [{ maximum: 2 }, { maximum: 5 }] }, [3, 5], [2, 6]),
  enforced({ oneOf: [OBJECT, { type: 'null' }, { type: ['array', 'null'] }] }, [{}, []], [null]),
];

const IF_A = { properties: { kind: { const: 'a' } }, required: ['kind'] };

const conditions = [
  enforced(
    {
      ...OBJECT,
      properties: { kind: { enum: ['a', 'b'] }, x: INTEGER },
      if: IF_A,
      then: { required: ['x'] },
    },
    [{}, { kind: 'b' }, { kind: 'a', x: 1 }],
    [{ kind: 'a' }],
  ),
  enforced(
    {
      ...object({ kind: { enum: ['a', 'b'] }, x: { type: ['integer', 'string'] } }),
      if: IF_A,
      then: { properties: { x: INTEGER } },
      else: { properties: { x: STRING } },
    },
    [
      { kind: 'a', x: 1 },
      { kind: 'b', x: '' },
    ],
    [
      { kind: 'a', x: '' },
      { kind: 'b', x: 1 },
    ],
  ),
  enforced({ ...INTEGER, if: { minimum: 10 }, else: { maximum: 3 } }, [3, 10], [5]),
  enforced({ ...INTEGER, if: { minimum: 10 } }, [3, 10], ['a']),
  enforced({ ...INTEGER, then: { minimum: 10 } }, [3, 10], ['a']),
];

const DEPENDENT = { ...OBJECT, properties: { a: STRING, b: STRING, c: INTEGER } };

const dependent = [
  enforced(
    { ...DEPENDENT, dependentRequired: { a: ['b', 'c'] } },
    [{}, { b: '' }, { a: '', b: '', c: 1 }],
    [{ a: '' }, { a: '', b: '' }],
  ),
  enforced({ ...DEPENDENT, dependencies: { a: ['b'] } }, [{ c: 1 }, { a: '', b: '' }], [{ a: '' }]),
  enforced(
    { ...DEPENDENT, dependentSchemas: { a: { properties: { c: { minimum: 5 } } } } },
    [{ c: 1 }, { a: '', c: 5 }],
    [{ a: '', c: 1 }],
  ),
  enforced(
    { ...DEPENDENT, dependencies: { a: { required: ['c'] }, b: ['c'] } },
    [{}, { a: '', c: 1 }, { c: 2 }],
    [{ a: '' }, { b: '' }],
  ),
  enforced({ dependentRequired: { a: ['b'] } }, [1, 'a', { b: 1 }, {}], [{ a: 1 }]),
];

export const NEGATION_CASES: Case[] = [...not, ...overlapping, ...conditions, ...dependent];
