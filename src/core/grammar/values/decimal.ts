/** A number as JSON writes it: `digits` divided by 10 to the power of `places`. */
export interface Decimal {
  digits: bigint;
  /** Not negative. */
  places: number;
}

/** The shortest decimal that reads as this double. */
export function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
}

/** Whether a number is a multiple of another, as decimals: 0.3 is one of 0.1. */
export function isMultiple(value: number, of: number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(of)];
  const places = Math.max(a.places, b.places);
  return scaled(a, places) % scaled(b, places) === 0n;
}

/** The smallest number that is a multiple of all of these. */
export function leastCommonMultiple(numbers: readonly number[]): Decimal {
  const decimals = numbers.map(decimalOf);
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
