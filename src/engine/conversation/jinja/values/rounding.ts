/** No double has more digits before the point, or more behind it that matter. */
const MOST_DIGITS = 330;

/** Python's `round`: of two numbers that are equally near to the exact value, it takes the even one. */
export function roundToEven(value: number, digits: number): number {
  if (!Number.isFinite(value) || digits > MOST_DIGITS) return value;
  let scaled = Math.abs(value);
  let halvings = 0;
  for (; !Number.isInteger(scaled); scaled *= 2) halvings++;
  const shift = 10n ** BigInt(Math.min(Math.abs(digits), MOST_DIGITS));
  const above = BigInt(scaled) * (digits > 0 ? shift : 1n);
  const below = 2n ** BigInt(halvings) * (digits > 0 ? 1n : shift);
  const floor = above / below;
  const twice = 2n * (above % below);
  const isUp = twice > below || (twice === below && floor % 2n === 1n);
  return (value < 0 ? -1 : 1) * Number(`${floor + (isUp ? 1n : 0n)}e${-digits}`);
}
