import { enforced, type Case } from '../../unit/core/grammar/cases/cases.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const ARRAY = { type: 'array' };

const contains = [
  enforced({ ...ARRAY, contains: INTEGER }, [[1], ['a', 1], [1, 1]], [[], ['a']]),
  enforced({ ...ARRAY, items: STRING, contains: { const: 'x' } }, [['x'], ['a', 'x']], [['a'], []]),
  enforced(
    { ...ARRAY, contains: INTEGER, minContains: 2 },
    [
      [1, 2],
      [1, 'a', 2],
    ],
    [[1], ['a']],
  ),
  enforced({ ...ARRAY, contains: INTEGER, maxContains: 1 }, [[1], ['a', 1]], [[], [1, 2]]),
  enforced({ ...ARRAY, contains: INTEGER, minContains: 0 }, [[], ['a'], [1]], [1]),
  enforced(
    { ...ARRAY, contains: INTEGER, minContains: 0, maxContains: 1 },
    [[], ['a'], ['a', 1]],
    [[1, 1]],
  ),
  enforced({ ...ARRAY, contains: INTEGER, maxItems: 2 }, [[1], ['a', 1]], [['a', 'b', 1], ['a']]),
  enforced({ ...ARRAY, prefixItems: [STRING], contains: INTEGER }, [['a', 1]], [['a'], [1]]),
  enforced(
    { ...ARRAY, allOf: [{ contains: INTEGER }, { contains: STRING }] },
    [
      [1, 'a'],
      ['a', 1],
    ],
    [[1], ['a']],
  ),
];

const unique = [
  enforced(
    { ...ARRAY, items: { enum: ['a', 'b', 'c'] }, uniqueItems: true },
    [[], ['b', 'a'], ['c', 'a', 'b']],
    [
      ['a', 'a'],
      ['b', 'a', 'b'],
    ],
  ),
  enforced(
    { ...ARRAY, items: { enum: [1, 10, 100] }, uniqueItems: true, minItems: 2, maxItems: 2 },
    [
      [10, 1],
      [100, 10],
    ],
    [[1], [1, 1], [1, 10, 100]],
  ),
  enforced(
    { ...ARRAY, items: { type: 'boolean' }, uniqueItems: true },
    [[true, false]],
    [[true, true]],
  ),
  enforced({ ...ARRAY, items: STRING, uniqueItems: true, maxItems: 1 }, [[], ['a']], [['a', 'b']]),
  enforced({ ...ARRAY, items: STRING, uniqueItems: false }, [['a', 'a']], [[1]]),
  enforced(
    { ...ARRAY, items: { anyOf: [{ const: 'a' }, { enum: ['a', 'b'] }] }, uniqueItems: true },
    [['a', 'b']],
    [['a', 'a']],
  ),
];

const counts = [
  enforced(
    { ...ARRAY, items: INTEGER, maxItems: 40 },
    [[], Array(40).fill(1)],
    [Array(41).fill(1)],
  ),
  enforced(
    { ...ARRAY, items: INTEGER, minItems: 20, maxItems: 300 },
    [Array(20).fill(1), Array(300).fill(1)],
    [Array(19).fill(1), Array(301).fill(1)],
  ),
  enforced({ ...ARRAY, items: INTEGER, maxItems: 1_000_000 }, [[], [1], Array(500).fill(1)], ['a']),
  enforced(
    { ...ARRAY, items: INTEGER, minItems: 17 },
    [Array(17).fill(1), Array(99).fill(1)],
    [Array(16).fill(1)],
  ),
];

export const ARRAY_CASES: Case[] = [...contains, ...unique, ...counts];
