import type { Conjunction } from './branches.ts';
import type { Bound } from './number-range.ts';
import { numberOf, stringOf, type Checked } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';

export interface NumberFacts {
  min: Bound | undefined;
  max: Bound | undefined;
  isInteger: boolean;
  /** In which the value must be contained, and where that is said. */
  multiples: { of: number; path: string }[];
}

/** Smallest and largest number of a format. Other formats of numbers only say how they are stored. */
const NUMBER_FORMATS = new Map<string, [number, number]>([['int32', [-(2 ** 31), 2 ** 31 - 1]]]);

/** All that the schemas say about numbers. */
export function numberFacts(schemas: Conjunction, isInteger: boolean): NumberFacts {
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
    throw invalidSchema(pathTo(schema.path, keyword), 'is beyond the numbers that are exact.');
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

/** @param sign - 1 for lower bounds, -1 for upper ones */
function tightest(bounds: Bound[], sign: 1 | -1): Bound | undefined {
  const byTightness = (a: Bound, b: Bound) =>
    (b.value - a.value) * sign || Number(b.exclusive) - Number(a.exclusive);
  return bounds.sort(byTightness)[0];
}

export interface Counts {
  min: number;
  max: number | undefined;
}

/** The largest of the minimums, the smallest of the maximums. */
export function countsOf(schemas: Conjunction, minimum: string, maximum: string): Counts {
  const values = (keyword: string) =>
    schemas.map((schema) => numberOf(schema, keyword)).filter((value) => value !== undefined);
  const maxima = values(maximum);
  return {
    min: Math.max(0, ...values(minimum)),
    max: maxima.length > 0 ? Math.min(...maxima) : undefined,
  };
}
