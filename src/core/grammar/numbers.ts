import { charsOf } from './char-set.ts';
import { choice, oneOf, optional, repeat, sequence, text, type Expression } from './expression.ts';
import { ANY_NUMBER, integerRange, numberRange, type Bound } from './number-range.ts';
import type { NumberFacts } from './scalars.ts';
import { invalidSchema } from './schema-error.ts';
import { isInRange } from './values.ts';

/** So many multiples are written out one by one. */
const MAX_MULTIPLES = 2000;

/** JSON's ways to write the numbers that the facts allow; an integer is written without a fraction. */
export function numberExpression(facts: NumberFacts): Expression {
  if (facts.multiples.length > 0) return multiples(facts);
  if (facts.isInteger) return integerRange(ceiling(facts.min), floor(facts.max));
  if (!facts.min && !facts.max) return ANY_NUMBER;
  return numberRange(facts.min, facts.max);
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

/** Multiples of a power of ten by their zeros; of anything else only where they can be counted up. */
function multiples(facts: NumberFacts): Expression {
  const [first, ...more] = facts.multiples;
  if (!first) return ANY_NUMBER;
  const { min, max } = facts;
  if (min && max && (max.value - min.value) / first.of <= MAX_MULTIPLES) {
    return choice(...counted(facts, first.of, min.value, max.value));
  }
  const zeros = Math.log10(first.of);
  if (min || max || more.length > 0 || !Number.isInteger(zeros) || zeros < 1) {
    throw invalidSchema(
      first.path,
      'is supported only with a minimum and a maximum that are near.',
    );
  }
  const digits = oneOf(charsOf('0123456789'));
  const factor = sequence(oneOf(charsOf('123456789')), repeat(digits, 0, Math.max(0, 14 - zeros)));
  const value = sequence(optional(text('-')), factor, text('0'.repeat(zeros)));
  return choice(text('0'), value);
}

/** Every multiple between two numbers that is one by floating point division as well. */
function counted(facts: NumberFacts, of: number, min: number, max: number): Expression[] {
  const from = Math.floor(min / of);
  const values = Array.from(
    { length: Math.ceil(max / of) - from + 1 },
    (_, index) => (from + index) * of,
  );
  const kept = values.filter(
    (value) => isInRange(value, facts) && (!facts.isInteger || Number.isInteger(value)),
  );
  return kept.map((value) => text(JSON.stringify(value)));
}
