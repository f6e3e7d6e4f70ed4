import { TemplateFault } from './faults.ts';
import { Float, numberOf, typeName, type Value } from './values.ts';

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

/** Jinja's `value | round(digits, method)`. */
export function round(value: number, digits: number, method: string): Float {
  const scale = 10 ** digits;
  const way = method === 'ceil' ? Math.ceil : method === 'floor' ? Math.floor : toEven;
  return new Float(way(value * scale) / scale);
}

/** Python rounds what is in the middle to the even neighbour. */
function toEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
