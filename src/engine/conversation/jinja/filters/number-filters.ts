import { roundToEven } from '../values/rounding.ts';
import { anInteger, integerOf, MOST_BITS } from '../values/integers.ts';
import { negative } from '../values/operators.ts';
import { TemplateFault } from '../limits/faults.ts';
import { Float, numberOf, typeName, type Value } from '../values/values.ts';

/** A number, for filters that take nothing else. @throws TemplateFault */
export function number(value: Value): number {
  const its = numberOf(value);
  if (its === undefined) throw new TemplateFault(`'${typeName(value)}' is no number`);
  return its;
}

const PREFIXES: Record<number, RegExp> = { 2: /^0b/i, 8: /^0o/i, 16: /^0x/i };

/** Jinja's `value | int(other, base)`. */
export function whole(value: Value, other: Value, base: number): Value {
  if (typeof value === 'string') {
    const read = base === 10 ? decimal(value) : inBase(value.trim(), base);
    return read === undefined ? other : (inDigits(value) ?? Math.trunc(read));
  }
  return integer(value) ?? Math.trunc(numberOf(value) ?? numberOf(other) ?? 0);
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
  const rounded = roundToEven(its, digits);
  return value instanceof Float ? new Float(rounded) : rounded;
}

/** A number as Python and Jinja write it, such as `1_000`, `0x1f` and `1e3`. */
export function written(text: string): Value {
  const [, sign = '', bare = ''] = /^([+-]?)(.*)$/s.exec(text.replaceAll('_', '')) ?? [];
  if (/^(?:\d+|0[box][\da-f]+)$/i.test(bare)) {
    const size = anInteger(BigInt(/^\d+$/.test(bare) ? bare : bare.toLowerCase()));
    return sign === '-' ? negative(size) : size;
  }
  return new Float(Number(sign + bare));
}

/** An int that a text of digits is. */
function inDigits(text: string): Value | undefined {
  const digits = text.trim().replaceAll('_', '');
  if (digits.length > MOST_BITS / 4 || !/^[+-]?\d+$/.test(digits)) return undefined;
  return anInteger(BigInt(digits.replace('+', '')));
}

function integer(value: Value): Value | undefined {
  const its = integerOf(value);
  return its === undefined ? undefined : anInteger(its);
}

/** The number that a text is; undefined: Python reads none. */
export function decimal(text: string): number | undefined {
  const isNumber = /^\s*[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d+)?\s*$/i.test(text);
  return isNumber ? Number(text.replaceAll('_', '')) : undefined;
}

function inBase(text: string, base: number): number | undefined {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const digits = rest.replace(PREFIXES[base] ?? '', '').toLowerCase();
  const isRead =
    digits !== '' && digits.split('').every((digit) => Number.parseInt(digit, base) >= 0);
  return isRead ? Number(`${sign}1`) * Number.parseInt(digits, base) : undefined;
}
