import { numberOf, stringOf, type Checked, type Conjunction } from '../schema/schema.ts';
import { pathTo, SchemaError } from '../schema/schema-error.ts';
import type { Bound } from './number-range.ts';

export interface NumberConstraints {
  min: Bound | undefined;
  max: Bound | undefined;
  isInteger: boolean;
  /** Whether integers are left out. */
  isFraction: boolean;
  /** Each `multipleOf`. */
  multiples: number[];
  /** Numbers of which it is no multiple. */
  indivisible: number[];
  /** Numbers that are left out. */
  excluded: number[];
}

/** Smallest and largest number of a format. Other formats of numbers only say how they are stored. */
const NUMBER_FORMATS = new Map<string, [number, number]>([['int32', [-(2 ** 31), 2 ** 31 - 1]]]);

/** What the schemas demand of a number. */
export function numberConstraints(schemas: Conjunction, isInteger: boolean): NumberConstraints {
  const bounds = (inclusive: string, exclusive: string) =>
    schemas.flatMap((schema) => boundsOf(schema, inclusive, exclusive));
  const formats = schemas.flatMap(formatBounds);
  const multiples = schemas.flatMap((schema) => numberOf(schema, 'multipleOf') ?? []);
  const excluded = schemas.flatMap(({ derived }) => derived?.excluded ?? []);
  return {
    min: tightest([...bounds('minimum', 'exclusiveMinimum'), ...formats.map(([min]) => min)], 1),
    max: tightest([...bounds('maximum', 'exclusiveMaximum'), ...formats.map(([, max]) => max)], -1),
    isInteger: isInteger || multiples.some((of) => Number.isInteger(of)),
    isFraction: schemas.some(({ derived }) => derived?.isFraction),
    multiples: [...new Set(multiples)].filter((of) => of !== 1),
    indivisible: schemas.flatMap(({ derived }) => derived?.indivisible ?? []),
    excluded: [...new Set(excluded.filter((value) => typeof value === 'number'))],
  };
}

function boundsOf(schema: Checked, inclusive: string, exclusive: string): Bound[] {
  const value = numberOf(schema, inclusive);
  const beyond = numberOf(schema, exclusive);
  if (beyond !== undefined && Math.abs(beyond) > Number.MAX_SAFE_INTEGER) {
    throw new SchemaError(pathTo(schema.path, exclusive), 'must be at most 2^53 - 1 in magnitude.');
  }
  return [
    // In draft 4, the other keyword says whether this bound is excluded.
    ...(value === undefined ? [] : [{ value, exclusive: schema.schema[exclusive] === true }]),
    ...(beyond === undefined ? [] : [{ value: beyond, exclusive: true }]),
  ];
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
