import { charsOf } from './char-set.ts';
import { choice, oneOf, optional, repeat, sequence, text, type Expression } from './expression.ts';
import { ANY_NUMBER, integerRange, numberRange, type Bound } from './number-range.ts';
import type { NumberConstraints } from './number-constraints.ts';
import { invalidSchema } from './schema-error.ts';
import { isInRange } from './values.ts';

/** Up to this many multiples are listed one by one. */
const MAX_MULTIPLES = 2000;

/** The numbers that the constraints allow, as JSON. Integers are written without a fraction. */
export function numberExpression(constraints: NumberConstraints): Expression {
  if (constraints.multiples.length > 0) return multiples(constraints);
  if (constraints.isInteger) return integerRange(ceiling(constraints.min), floor(constraints.max));
  if (!constraints.min && !constraints.max) return ANY_NUMBER;
  return numberRange(constraints.min, constraints.max);
}

function ceiling(bound: Bound | undefined): bigint | undefined {
  if (!bound) return undefined;
  const least = Math.ceil(bound.value);
  return BigInt(bound.exclusive && least === bound.value ? least + 1 : least);
}

function floor(bound: Bound | undefined): bigint | undefined {
  if (!bound) return undefined;
  const most = Math.floor(bound.value);
  return BigInt(bound.exclusive && most === bound.value ? most - 1 : most);
}

/** Multiples of a power of ten end with zeros. Other multiples are listed, which needs two bounds. */
function multiples(constraints: NumberConstraints): Expression {
  const [first, ...more] = constraints.multiples;
  if (!first) return ANY_NUMBER;
  const { min, max } = constraints;
  if (min && max && (max.value - min.value) / first.of <= MAX_MULTIPLES) {
    return choice(...counted(constraints, first.of, min.value, max.value));
  }
  const zeros = Math.log10(first.of);
  if (min || max || more.length > 0 || !Number.isInteger(zeros) || zeros < 1) {
    throw invalidSchema(
      first.path,
      `needs a minimum and a maximum that are at most ${MAX_MULTIPLES} multiples apart.`,
    );
  }
  const digits = oneOf(charsOf('0123456789'));
  const factor = sequence(oneOf(charsOf('123456789')), repeat(digits, 0, Math.max(0, 14 - zeros)));
  const value = sequence(optional(text('-')), factor, text('0'.repeat(zeros)));
  return choice(text('0'), value);
}

/** The multiples between two numbers that floating-point division recognises as multiples. */
function counted(
  constraints: NumberConstraints,
  of: number,
  min: number,
  max: number,
): Expression[] {
  const from = Math.floor(min / of);
  const values = Array.from(
    { length: Math.ceil(max / of) - from + 1 },
    (_, index) => (from + index) * of,
  );
  const kept = values.filter(
    (value) => isInRange(value, constraints) && (!constraints.isInteger || Number.isInteger(value)),
  );
  return kept.map((value) => text(JSON.stringify(value)));
}
