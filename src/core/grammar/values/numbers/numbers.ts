import { choice, type Expression } from '../../ebnf/expression.ts';
import { complement, explore, intersect } from '../../regular/automaton.ts';
import type { Automaton } from '../../regular/state.ts';
import { charsOf, type CharSet } from '../../regular/char-set.ts';
import { expressionAutomaton, patternAutomaton } from '../../regular/pattern-automaton.ts';
import { jsonText } from '../../schema/canonical.ts';
import { Memory } from '../../regular/memory.ts';
import { ceilingOf, compare, floorOf, leastCommonMultiple, type Decimal } from './decimal.ts';
import type { NumberConstraints } from './number-constraints.ts';
import { ANY_NUMBER, integerRange, numberRange, type Bound } from './number-range.ts';

/** No exponent, and no zeros at the end of a fraction. */
const SHORTEST = '^-?\\d+(?:\\.\\d*[1-9])?$';
/** No exponent, and a digit after the point that is not zero. */
const FRACTION = '^-?\\d+\\.\\d*[1-9]\\d*$';

/**
 * Accepts the numbers that the constraints allow, as JSON. Integers are written without a fraction.
 *
 * @throws TooComplex for large multiples
 */
export function numberAutomaton(constraints: NumberConstraints): Automaton {
  return numberAutomata.get(jsonText(constraints), () => automatonOf(constraints));
}

/** Whether there are numbers between the bounds, but all of them have too many digits. */
export function lacksDigits(constraints: NumberConstraints): boolean {
  const { min, max, isInteger } = constraints;
  if (isInteger || !min || !max) return false;
  const isEmpty = compare(max.value, min.value) < Number(min.exclusive || max.exclusive);
  return !isEmpty && expressionAutomaton(numberRange(min, max)).length === 0;
}

/** Most numbers of most schemas have the same constraints. */
const numberAutomata = new Memory<Automaton>(50);

function automatonOf(constraints: NumberConstraints): Automaton {
  const { multiples, indivisible, isFraction } = constraints;
  const parts = [
    expressionAutomaton(numberExpression(constraints)),
    ...(multiples.length > 0 ? [multiplesAutomaton(leastCommonMultiple(multiples))] : []),
    ...indivisible.map((of) => complement(multiplesAutomaton(of))),
    ...(isFraction ? [patternAutomaton(FRACTION)] : []),
    ...(indivisible.length > 0 ? [patternAutomaton(SHORTEST)] : []),
  ];
  return parts.reduce(intersect);
}

function numberExpression({ min, max, isInteger, excluded, multiples }: NumberConstraints) {
  const [first, ...more] = excluded
    .filter(({ places }) => !isInteger || places === 0)
    .sort(compare);
  if (first === undefined) return rangeExpression(min, max, isInteger, multiples.length > 0);
  // The ranges between the excluded numbers.
  const points = [first, ...more].map((value) => ({ value, exclusive: true }));
  const starts = [min, ...points];
  const ends = [...points, max];
  return choice(
    ...starts.map((start, index) =>
      rangeExpression(tighter(start, min, 1), tighter(ends[index], max, -1), isInteger, true),
    ),
  );
}

/** @param isExact - whether numbers must be written without an exponent */
function rangeExpression(
  min: Bound | undefined,
  max: Bound | undefined,
  isInteger: boolean,
  isExact: boolean,
): Expression {
  if (isInteger) return integerRange(ceiling(min), floor(max));
  return min || max || isExact ? numberRange(min, max) : ANY_NUMBER;
}

/** @param sign - 1 for lower bounds, -1 for upper bounds */
function tighter(a: Bound | undefined, b: Bound | undefined, sign: 1 | -1): Bound | undefined {
  if (!a || !b) return a ?? b;
  const order = compare(a.value, b.value);
  if (order === 0) return { value: a.value, exclusive: a.exclusive || b.exclusive };
  return order * sign > 0 ? a : b;
}

function ceiling(bound: Bound | undefined): bigint | undefined {
  if (!bound) return undefined;
  const least = ceilingOf(bound.value);
  return bound.exclusive && bound.value.places === 0 ? least + 1n : least;
}

function floor(bound: Bound | undefined): bigint | undefined {
  if (!bound) return undefined;
  const most = floorOf(bound.value);
  return bound.exclusive && bound.value.places === 0 ? most - 1n : most;
}

const MINUS = charsOf('-');
const POINT = charsOf('.');
const digitSet = (digit: number): CharSet => [[0x30 + digit, 0x30 + digit]];

/** The state of a number that is being read. */
interface Reading {
  /** The digits so far, without the point, modulo `digits` of the divisor. */
  remainder: bigint;
  /** Digits after the point; undefined before it. */
  places: number | undefined;
  isSigned: boolean;
  hasDigits: boolean;
}

/** Accepts decimals without an exponent that are multiples of a number. */
function multiplesAutomaton(of: Decimal): Automaton {
  const describe = (reading: Reading) => {
    const { places, isSigned, hasDigits } = reading;
    const canHaveDigits = places === undefined || places < of.places;
    return {
      accepts: isMultiple(reading, of),
      edges: [
        ...(canHaveDigits ? digitEdges(reading, of) : []),
        ...(hasDigits && places === undefined && of.places > 0
          ? [{ set: POINT, to: { ...reading, places: 0, hasDigits: false } }]
          : []),
        ...(isSigned || hasDigits || places !== undefined
          ? []
          : [{ set: MINUS, to: { ...reading, isSigned: true } }]),
      ],
    };
  };
  const keyOf = ({ remainder, places, isSigned, hasDigits }: Reading) =>
    [remainderClass(remainder, of), places, isSigned, hasDigits].join();
  const start = { remainder: 0n, places: undefined, isSigned: false, hasDigits: false };
  return explore<Reading>(start, keyOf, describe);
}

/** A key that remainders share if the same digits after them make a multiple. For 10, 100, …, there are few keys. */
function remainderClass(remainder: bigint, { digits, places }: Decimal): string {
  if (places > 0) return String(remainder);
  const missing: string[] = [];
  for (let power = 1n; ; power *= 10n) {
    const lacks = (digits - ((remainder * power) % digits)) % digits;
    missing.push(lacks < power ? String(lacks) : '');
    if (power >= digits) return missing.join(' ');
  }
}

function digitEdges(reading: Reading, of: Decimal): { set: CharSet; to: Reading }[] {
  const { remainder, places } = reading;
  return Array.from({ length: 10 }, (_, digit) => ({
    set: digitSet(digit),
    to: {
      ...reading,
      remainder: (remainder * 10n + BigInt(digit)) % of.digits,
      places: places === undefined ? undefined : places + 1,
      hasDigits: true,
    },
  }));
}

function isMultiple({ remainder, places = 0, hasDigits }: Reading, of: Decimal): boolean {
  return hasDigits && (remainder * 10n ** BigInt(of.places - places)) % of.digits === 0n;
}
