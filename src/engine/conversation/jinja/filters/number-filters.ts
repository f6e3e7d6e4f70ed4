import { TemplateFault } from '../limits/faults.ts';
import { Float, numberOf, typeName, type Value } from '../values/values.ts';

/** A number, for filters that take nothing else. @throws TemplateFault */
export function number(value: Value): number {
  const its = numberOf(value);
  if (its === undefined) throw new TemplateFault(`'${typeName(value)}' is no number`);
  return its;
}

/** Jinja's `value | int(other)`. */
export function whole(value: Value, other: Value): Value {
  if (typeof value === 'string')
    return /^\s*[+-]?\d+\s*$/.test(value)
      ? Number(value)
      : Math.trunc(Number.parseFloat(value)) || other;
  return Math.trunc(numberOf(value) ?? numberOf(other) ?? 0);
}

/** Jinja's `value | round(digits, method)`. @throws TemplateFault */
export function round(value: Value, digits: number, method: string): Value {
  if (!Number.isInteger(digits)) throw new TemplateFault('precision must be an integer');
  const its = number(value);
  const way = { common: undefined, ceil: Math.ceil, floor: Math.floor }[method];
  if (method !== 'common' && !way) throw new TemplateFault('method must be common, ceil or floor');
  if (way) {
    const scale = Number(`1e${digits}`);
    // Python's integers have no -0.
    return new Float((way(its * scale) + 0) / scale);
  }
  if (typeof value === 'bigint' && digits >= 0) return value;
  const rounded = toEven(its, digits);
  return value instanceof Float ? new Float(rounded) : rounded;
}

/** No double has more digits before the point, or more behind it that matter. */
const MOST_DIGITS = 330;

/** Python's `round`: of two numbers that are equally near to the exact value, it takes the even one. */
function toEven(value: number, digits: number): number {
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
