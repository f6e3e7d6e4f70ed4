import { TemplateFault, TemplateTooLong } from '../limits/faults.ts';
import { anInteger, integerOf, MOST_BITS, wholeArithmetic } from './integers.ts';
import { MOST_PARTS, repeatText } from './built-texts.ts';
import { format } from './formatting.ts';
import { takeItems, takeSteps, takeText } from '../limits/render-limits.ts';
import { str } from './text.ts';
import {
  compare,
  Float,
  isEqual,
  itemsOf,
  numberOf,
  Tuple,
  typeName,
  Undefined,
  type Value,
} from './values.ts';

/** Python's `a operator b`, other than `and` and `or`. @throws TemplateFault as Python would */
export function operate(operator: string, a: Value, b: Value): Value {
  switch (operator) {
    case '==':
      return isEqual(a, b);
    case '!=':
      return !isEqual(a, b);
    case '~':
      return str(a) + str(b);
    case 'in':
      return contains(b, a);
    case 'not in':
      return !contains(b, a);
    case '<':
      return compare(a, b) < 0;
    case '>':
      return compare(a, b) > 0;
    case '<=':
      return compare(a, b) <= 0;
    case '>=':
      return compare(a, b) >= 0;
    default:
      return calculate(operator, a, b);
  }
}

export function negative(value: Value): Value {
  if (value instanceof Float) return new Float(-value.value);
  if (typeof value === 'bigint') return anInteger(-value);
  return -(numberOf(value) ?? unsupported('-', value, value));
}

/** Python's `item in whole`. */
export function contains(whole: Value, item: Value): boolean {
  if (typeof whole === 'string') {
    takeText(whole.length);
    if (typeof item === 'string') return whole.includes(item);
    throw new TemplateFault(`'in <string>' requires string as left operand, not ${typeName(item)}`);
  }
  if (whole instanceof Map) return whole.has(item);
  return itemsOf(whole).some((each) => isEqual(each, item));
}

function calculate(operator: string, a: Value, b: Value): Value {
  const joined = join(operator, a, b);
  if (joined !== undefined) return joined;
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x === undefined || y === undefined) return unsupported(operator, a, b);
  const result = arithmetic(operator, x, y) ?? unsupported(operator, a, b);
  const exact =
    Number.isSafeInteger(result) && isNumber(a) && isNumber(b)
      ? undefined
      : wholeResult(operator, a, b);
  if (exact !== undefined) return exact;
  const isFloat =
    a instanceof Float || b instanceof Float || operator === '/' || !Number.isInteger(result);
  return isFloat ? new Float(result) : result;
}

/** Python's result of two ints of which JavaScript's would lose digits. @throws TemplateTooLong */
function wholeResult(operator: string, a: Value, b: Value): Value | undefined {
  const [x, y] = [integerOf(a), integerOf(b)];
  if (x === undefined || y === undefined || operator === '/' || (operator === '**' && y < 0n))
    return undefined;
  const result = wholeArithmetic(operator, x, y);
  if (result === undefined) throw new TemplateTooLong(`A number has more than ${MOST_BITS} bits.`);
  takeSteps(MOST_BITS / 100);
  return anInteger(result);
}

function isNumber(value: Value): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function join(operator: string, a: Value, b: Value): Value | undefined {
  if (operator === '%' && typeof a === 'string') return format(a, b);
  if (operator === '*' && typeof b === 'string') return join('*', b, a);
  const times = numberOf(b);
  if (operator === '*' && times !== undefined) {
    if (typeof a === 'string') return repeatText(a, times);
    if (Array.isArray(a)) return repeatedList(a, times);
  }
  if (operator !== '+') return undefined;
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (!Array.isArray(a) || !Array.isArray(b)) return undefined;
  takeItems(a.length + b.length);
  requireShort(a.length + b.length);
  return a instanceof Tuple ? Tuple.from([...a, ...b]) : [...a, ...b];
}

function repeatedList(list: Value[], times: number): Value[] {
  const length = Math.max(0, Math.trunc(times)) * list.length;
  if (length === 0) return [];
  requireShort(length);
  takeSteps(length);
  return Array.from({ length }, (_, at) => list[at % list.length] ?? null);
}

function requireShort(length: number): void {
  if (length > MOST_PARTS) throw new TemplateTooLong('A list is too long.');
}

function arithmetic(operator: string, x: number, y: number): number | undefined {
  if (y === 0 && ['/', '//', '%'].includes(operator)) throw new TemplateFault('division by zero');
  switch (operator) {
    case '+':
      return x + y;
    case '-':
      return x - y;
    case '*':
      return x * y;
    case '/':
      return x / y;
    case '//':
      return Math.floor(x / y);
    case '%':
      return x - y * Math.floor(x / y);
    case '**':
      return x ** y;
    default:
      return undefined;
  }
}

function unsupported(operator: string, a: Value, b: Value): never {
  for (const value of [a, b]) {
    if (value instanceof Undefined) throw new TemplateFault(`'${value.name}' is undefined`);
  }
  throw new TemplateFault(
    `unsupported operand type(s) for ${operator}: '${typeName(a)}' and '${typeName(b)}'`,
  );
}
