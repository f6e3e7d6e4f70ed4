import type { Conjunction } from './branches.ts';
import type { Bound } from './number-range.ts';
import { numberOf, stringOf, type Checked } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';

export interface NumberConstraints {
  min: Bound | undefined;
  max: Bound | undefined;
  isInteger: boolean;
  /** Each `multipleOf`, and its path. */
  multiples: { of: number; path: string }[];
}

/** Smallest and largest number of a format. Other formats of numbers only say how they are stored. */
const NUMBER_FORMATS = new Map<string, [number, number]>([['int32', [-(2 ** 31), 2 ** 31 - 1]]]);

/** What the schemas demand of a number. */
export function numberConstraints(schemas: Conjunction, isInteger: boolean): NumberConstraints {
  const bounds = (inclusive: string, exclusive: string) =>
    schemas.flatMap((schema) => [
      ...boundOf(schema, inclusive, false),
      ...boundOf(schema, exclusive, true),
    ]);
  const formats = schemas.flatMap(formatBounds);
  const multiples = schemas.flatMap((schema) => {
    const of = numberOf(schema, 'multipleOf');
    return of === undefined ? [] : [{ of, path: pathTo(schema.path, 'multipleOf') }];
  });
  return {
    min: tightest([...bounds('minimum', 'exclusiveMinimum'), ...formats.map(([min]) => min)], 1),
    max: tightest([...bounds('maximum', 'exclusiveMaximum'), ...formats.map(([, max]) => max)], -1),
    isInteger: isInteger || multiples.some(({ of }) => Number.isInteger(of)),
    multiples: multiples.filter(({ of }) => of !== 1),
  };
}

function boundOf(schema: Checked, keyword: string, exclusive: boolean): Bound[] {
  const value = numberOf(schema, keyword);
  if (value === undefined) return [];
  if (exclusive && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw invalidSchema(pathTo(schema.path, keyword), 'must be at most 2^53 - 1 in magnitude.');
  }
  return [{ value, exclusive }];
}

function formatBounds(schema: Checked): [Bound, Bound][] {
  const range = NUMBER_FORMATS.get(stringOf(schema, 'format') ?? '');
  if (!range) return [];
  return [
    [
      { value: range[0], exclusive: false },
      { value: range[1], exclusive: false },
    ],
  ];
}

/** @param sign - 1 for lower bounds, -1 for upper bounds */
function tightest(bounds: Bound[], sign: 1 | -1): Bound | undefined {
  const byTightness = (a: Bound, b: Bound) =>
    (b.value - a.value) * sign || Number(b.exclusive) - Number(a.exclusive);
  return bounds.sort(byTightness)[0];
}
