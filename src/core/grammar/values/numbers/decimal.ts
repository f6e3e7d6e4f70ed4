/** A number as JSON writes it: `digits` divided by 10 to the power of `places`. */
export interface Decimal {
  digits: bigint;
  /** Not negative, and no more than needed. */
  places: number;
}

/** Integers of any size stay exact. Any other double becomes the shortest decimal that reads as it. */
export function decimalOf(value: number | bigint): Decimal {
  if (typeof value === 'bigint' || Number.isInteger(value)) {
    return { digits: BigInt(value), places: 0 };
  }
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}

export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Negative if the first is smaller, positive if it is larger, 0 if they are equal. */
export function compare(a: Decimal, b: Decimal): number {
  const places = Math.max(a.places, b.places);
  const [left, right] = [scaled(a, places), scaled(b, places)];
  return left < right ? -1 : Number(left > right);
}

/** Whether a decimal is a multiple of another: 0.3 is a multiple of 0.1. */
export function isMultiple(value: Decimal, of: Decimal): boolean {
  const places = Math.max(value.places, of.places);
  return scaled(value, places) % scaled(of, places) === 0n;
}

/** The largest integer that is not above. */
export function floorOf({ digits, places }: Decimal): bigint {
  const unit = 10n ** BigInt(places);
  return digits / unit - (digits < 0n && digits % unit !== 0n ? 1n : 0n);
}

/** The smallest integer that is not below. */
export function ceilingOf({ digits, places }: Decimal): bigint {
  return -floorOf({ digits: -digits, places });
}

/** The smallest number that is a multiple of all of these. */
export function leastCommonMultiple(decimals: readonly Decimal[]): Decimal {
  const places = Math.max(0, ...decimals.map((one) => one.places));
  const digits = decimals
    .map((one) => scaled(one, places))
    .reduce((a, b) => (a / divisor(a, b)) * b, 1n);
  return { digits, places };
}

/** The digits of a decimal with so many places. */
function scaled({ digits, places }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places);
}

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}
