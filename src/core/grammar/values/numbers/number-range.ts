import { decimalOf, type Decimal } from './decimal.ts';
import { charsOf } from '../../regular/char-set.ts';
import {
  choice,
  EMPTY,
  NEVER,
  oneOf,
  optional,
  repeat,
  sequence,
  text,
  type Expression,
} from '../../ebnf/expression.ts';

const DIGIT = oneOf(charsOf('0123456789'));
const NON_ZERO = oneOf(charsOf('123456789'));

/** The most digits of an integer, unless a bound has more. Without a limit, a weak model never stops. */
const INTEGER_DIGITS = 19;
/** Decimals with this many significant digits keep their order when they become doubles. */
const EXACT_DIGITS = 15;

export interface Bound {
  value: Decimal;
  exclusive: boolean;
}

/** Any number that does not overflow to infinity. */
export const ANY_NUMBER: Expression = sequence(
  optional(text('-')),
  choice(text('0'), sequence(NON_ZERO, repeat(DIGIT, 0, EXACT_DIGITS - 1))),
  optional(sequence(text('.'), repeat(DIGIT, 1, EXACT_DIGITS + 2))),
  optional(
    sequence(
      oneOf(charsOf('eE')),
      choice(
        sequence(text('-'), repeat(DIGIT, 1, 3)),
        sequence(
          optional(text('+')),
          choice(
            repeat(DIGIT, 1, 2),
            sequence(text('1'), repeat(DIGIT, 2, 2)),
            sequence(text('2'), oneOf(charsOf('012345678')), DIGIT),
          ),
        ),
      ),
    ),
  ),
);

/** Integers between two bounds, both included. */
export function integerRange(min: bigint | undefined, max: bigint | undefined): Expression {
  const places = Math.max(INTEGER_DIGITS, ...[min, max].map((it) => magnitude(it ?? 0n).length));
  const limit = 10n ** BigInt(places) - 1n;
  const [low, high] = [min ?? -limit, max ?? limit];
  const negative = low < 0n ? naturals(high < 0n ? -high : 1n, -low) : NEVER;
  const positive = high >= 0n ? naturals(low > 0n ? low : 0n, high) : NEVER;
  return choice(sequence(text('-'), negative), positive);
}

/** Natural numbers between two bounds, both included, without leading zeros. */
function naturals(low: bigint, high: bigint): Expression {
  return choice(...eachLength(low, high).map(([, numbers]) => numbers));
}

/** The natural numbers between two bounds, by their number of digits. */
function eachLength(low: bigint, high: bigint): [length: number, numbers: Expression][] {
  if (low > high) return [];
  const [shortest, longest] = [magnitude(low).length, magnitude(high).length];
  return Array.from({ length: longest - shortest + 1 }, (_, index) => {
    const length = shortest + index;
    const least = length === 1 ? 0n : 10n ** BigInt(length - 1);
    const most = 10n ** BigInt(length) - 1n;
    const numbers = sameLength(
      String(low > least ? low : least),
      String(high < most ? high : most),
    );
    return [length, numbers];
  });
}

/** Digit strings between two digit strings of the same length, both included. */
function sameLength(low: string, high: string): Expression {
  if (low === '') return EMPTY;
  if (/^0*$/.test(low) && /^9*$/.test(high)) return repeat(DIGIT, low.length, low.length);
  const [first, last] = [Number(low[0]), Number(high[0])];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  const [zeros, nines] = [lowRest.replace(/./g, '0'), lowRest.replace(/./g, '9')];
  if (first === last) return sequence(text(String(first)), sameLength(lowRest, highRest));
  const startsLow = lowRest === zeros;
  const endsHigh = highRest === nines;
  return choice(
    startsLow ? NEVER : sequence(text(String(first)), sameLength(lowRest, nines)),
    sequence(
      digits(startsLow ? first : first + 1, endsHigh ? last : last - 1),
      sameLength(zeros, nines),
    ),
    endsHigh ? NEVER : sequence(text(String(last)), sameLength(zeros, highRest)),
  );
}

function digits(from: number, to: number): Expression {
  return from > to ? NEVER : oneOf([[0x30 + from, 0x30 + to]]);
}

/** A number without its sign. The fraction's digits have no zeros at the end. */
interface Magnitude {
  whole: bigint;
  fraction: string;
  exclusive: boolean;
}

/** Exactly the numbers between two bounds, written without an exponent. */
export function numberRange(min: Bound | undefined, max: Bound | undefined): Expression {
  const zero: Bound = { value: decimalOf(0), exclusive: false };
  const positive =
    max === undefined || max.value.digits >= 0n
      ? magnitudes(min && min.value.digits >= 0n ? min : zero, max)
      : NEVER;
  const negative =
    min === undefined || min.value.digits < 0n
      ? magnitudes(max && max.value.digits < 0n ? max : { ...zero, exclusive: true }, min)
      : NEVER;
  return choice(sequence(text('-'), negative), positive);
}

function magnitudes(low: Bound, high: Bound | undefined): Expression {
  const from = magnitudeOf(low);
  const maxDigits = Math.max(EXACT_DIGITS, magnitude(from.whole).length + 1);
  const to = high
    ? magnitudeOf(high)
    : { whole: 10n ** BigInt(maxDigits), fraction: '', exclusive: true };
  const at = (whole: bigint, least: Limit, most: Limit) =>
    sequence(text(String(whole)), point(least, most, placesAfter(magnitude(whole).length)));
  const least = { digits: from.fraction, exclusive: from.exclusive };
  const most = { digits: to.fraction, exclusive: to.exclusive };
  if (from.whole > to.whole) return NEVER;
  if (from.whole === to.whole) return at(from.whole, least, most);
  return choice(
    at(from.whole, least, undefined),
    between(from.whole + 1n, to.whole - 1n),
    at(to.whole, undefined, most),
  );
}

/** Decimals whose whole part is between two numbers, both included. */
function between(low: bigint, high: bigint): Expression {
  return choice(
    ...eachLength(low, high).map(([length, wholes]) =>
      sequence(wholes, point(undefined, undefined, placesAfter(length))),
    ),
  );
}

/** How many digits can follow the point after a whole part of so many digits. */
function placesAfter(digitCount: number): number {
  return Math.max(0, EXACT_DIGITS - digitCount);
}

type Limit = { digits: string; exclusive: boolean } | undefined;

/** The decimal point and the digits after it, between two limits. A fraction of zero may be left out. */
function point(low: Limit, high: Limit, places: number): Expression {
  const bare = fraction(low, high, 0);
  return choice(bare, places > 0 ? sequence(text('.'), behindPoint(low, high, places)) : NEVER);
}

/** From one to `places` digits after the decimal point. */
function behindPoint(low: Limit, high: Limit, places: number): Expression {
  const first = Number(low?.digits[0] ?? 0);
  const last = high ? Number(high.digits[0] ?? 0) : 9;
  const rest = (limit: Limit) => limit && { ...limit, digits: limit.digits.slice(1) };
  const from = (least: number, most: number, above: Limit, below: Limit) =>
    sequence(digits(least, most), fraction(above, below, places - 1));
  if (low && high && first === last) return from(first, last, rest(low), rest(high));
  return choice(
    low ? from(first, first, rest(low), undefined) : NEVER,
    from(low ? first + 1 : first, high ? last - 1 : last, undefined, undefined),
    high ? from(last, last, undefined, rest(high)) : NEVER,
  );
}

function fraction(low: Limit, high: Limit, places: number): Expression {
  if (low && isZero(low) && !low.exclusive) return fraction(undefined, high, places);
  if (!low && !high) return repeat(DIGIT, 0, places);
  const takesZero = !low && !(high && isZero(high) && high.exclusive);
  return choice(takesZero ? EMPTY : NEVER, places > 0 ? behindPoint(low, high, places) : NEVER);
}

function isZero(limit: { digits: string }): boolean {
  return /^0*$/.test(limit.digits);
}

function magnitudeOf({ value, exclusive }: Bound): Magnitude {
  const all = magnitude(value.digits).padStart(value.places + 1, '0');
  const pointAt = all.length - value.places;
  return { whole: BigInt(all.slice(0, pointAt)), fraction: all.slice(pointAt), exclusive };
}

function magnitude(value: bigint): string {
  return String(value < 0n ? -value : value);
}
