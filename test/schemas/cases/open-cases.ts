import { enforced, type Case } from '../../unit/core/grammar/cases/cases.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const OBJECT = { type: 'object' };

/** With `strict: false`, an object may have members that no keyword names. */
const CASES = [
  enforced(
    { ...OBJECT, properties: { a: INTEGER, b: STRING }, required: ['b'] },
    [{ b: '' }, { x: 1, a: 1, y: [], b: '', z: {} }, { a: 1, b: '', 'b ': 1, ab: 2, '': 3 }],
    [{}, { a: '', b: '' }, { x: 1 }],
  ),
  enforced({ ...OBJECT, properties: {} }, [{}, { a: 1 }], [1]),
  enforced(
    { ...OBJECT, properties: { a: INTEGER }, additionalProperties: false },
    [{}, { a: 1 }],
    [{ b: 1 }, { a: 1, b: 1 }],
  ),
  enforced(
    { ...OBJECT, properties: { a: INTEGER }, additionalProperties: STRING },
    [{ b: '' }, { b: '', a: 1, c: '' }],
    [{ b: 1 }],
  ),
  enforced(
    { ...OBJECT, properties: { a: INTEGER }, patternProperties: { '^x': STRING } },
    [
      { x: '', y: 1 },
      { a: 1, xy: '' },
    ],
    [{ x: 1 }],
  ),
  enforced(
    { allOf: [{ properties: { a: INTEGER } }, { required: ['a', 'b'] }] },
    [{ a: 1, b: [], c: 1 }],
    [{ a: 1 }],
  ),
  enforced(
    { ...OBJECT, required: ['a'], maxProperties: 1 },
    [{ a: 1 }],
    [{}, { b: 1 }, { a: 1, b: 1 }, { b: 1, a: 1 }],
  ),
  enforced(
    { ...OBJECT, dependentSchemas: { a: { maxProperties: 2 } } },
    [{}, { a: 1 }, { a: 1, b: 1 }, { b: 1, c: 1, d: 1 }],
    [{ a: 1, b: 1, c: 1 }],
  ),
  enforced(
    { ...OBJECT, dependencies: { a: { maxProperties: 1 } } },
    [{ a: 1 }, { b: 1, c: 1 }],
    [{ a: 1, b: 1 }],
  ),
  enforced(
    { ...OBJECT, properties: { a: INTEGER }, minProperties: 2 },
    [{ a: 1, b: 1 }],
    [{ a: 1 }],
  ),
  enforced(
    { ...OBJECT, properties: { a: INTEGER, b: INTEGER }, maxProperties: 2 },
    [{}, { a: 1, b: 1 }, { a: 1, c: 1 }, { c: 1, d: 1 }],
    [{ a: 1, b: 1, c: 1 }],
  ),
  enforced(
    { ...OBJECT, properties: { a: INTEGER }, not: { required: ['b'] } },
    [{}, { a: 1, c: 1 }],
    [{ b: 1 }, { a: 1, b: 1 }],
  ),
  enforced(
    { ...OBJECT, properties: { 'é"\\': INTEGER, éa: STRING } },
    [{ 'é"\\': 1, éa: '', é: 1, 'é"': [] }],
    [{ 'é"\\': '' }, { éa: 1 }],
  ),
];

export const OPEN_CASES: Case[] = CASES.map((item) => ({ ...item, strict: false }));
