import {
  decimalUnder,
  numberOf,
  stringOf,
  type Checked,
  type Conjunction,
} from '../../schema/schema.ts';
import { pathTo, SchemaError } from '../../schema/schema-error.ts';
import { compare, decimalOf, isNumber, type Decimal } from './decimal.ts';
import type { Bound } from './number-range.ts';

export interface NumberConstraints {
  min: Bound | undefined;
  max: Bound | undefined;
  isInteger: boolean;
  /** Whether integers are left out. */
  isFraction: boolean;
  /** Each `multipleOf`. */
  multiples: Decimal[];
  /** Numbers whose multiples are left out. */
  indivisible: Decimal[];
  /** Numbers that are left out. */
  excluded: Decimal[];
}

/** Smallest and largest number of a format. Other formats of numbers only say how they are stored. */
const NUMBER_FORMATS = new Map([['int32', [-(2n ** 31n), 2n ** 31n - 1n] as const]]);

/** What the schemas demand of a number. */
export function numberConstraints(schemas: Conjunction, isInteger: boolean): NumberConstraints {
  const bounds = (inclusive: string, exclusive: string) =>
    schemas.flatMap((schema) => boundsOf(schema, inclusive, exclusive));
  const formats = schemas.flatMap(formatBounds);
  const multiples = schemas.flatMap((schema) => decimalUnder(schema, 'multipleOf') ?? []);
  const excluded = schemas.flatMap(({ derived }) => derived?.excluded ?? []);
  return {
    min: tightest([...bounds('minimum', 'exclusiveMinimum'), ...formats.map(([min]) => min)], 1),
    max: tightest([...bounds('maximum', 'exclusiveMaximum'), ...formats.map(([, max]) => max)], -1),
    isInteger: isInteger || multiples.some(({ places }) => places === 0),
    isFraction: schemas.some(({ derived }) => derived?.isFraction),
    multiples: distinct(multiples).filter((of) => compare(of, ONE) !== 0),
    indivisible: schemas.flatMap(({ derived }) => derived?.indivisible ?? []),
    excluded: distinct(excluded.filter(isNumber).map(decimalOf)),
  };
}

const ONE = decimalOf(1);

function distinct(decimals: readonly Decimal[]): Decimal[] {
  return decimals.filter(
    (one, index) => decimals.findIndex((other) => compare(one, other) === 0) === index,
  );
}

function boundsOf(schema: Checked, inclusive: string, exclusive: string): Bound[] {
  const value = decimalUnder(schema, inclusive);
  const beyond = decimalUnder(schema, exclusive);
  // Beyond 2^53 - 1, doubles do not hold every integer, so an integer beyond the bound may read as the bound.
  if (Math.abs(numberOf(schema, exclusive) ?? 0) > Number.MAX_SAFE_INTEGER) {
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
      { value: decimalOf(range[0]), exclusive: false },
      { value: decimalOf(range[1]), exclusive: false },
    ],
  ];
}

/** @param sign - 1 for lower bounds, -1 for upper bounds */
function tightest(bounds: Bound[], sign: 1 | -1): Bound | undefined {
  const byTightness = (a: Bound, b: Bound) =>
    compare(b.value, a.value) * sign || Number(b.exclusive) - Number(a.exclusive);
  return bounds.sort(byTightness)[0];
}
