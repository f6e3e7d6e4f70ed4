import { TemplateFault } from '../limits/faults.ts';
import { takeSteps, takeText } from '../limits/render-limits.ts';
import { padText } from './built-texts.ts';
import { roundToEven } from './rounding.ts';
import { repr, str } from './text.ts';
import { Float, numberOf, Tuple, typeName, type Arguments, type Value } from './values.ts';

/** How a value is written. */
interface Style {
  align?: string;
  fill?: string;
  sign?: string;
  isAlternate?: boolean;
  width: number;
  grouping?: string;
  precision?: number | undefined;
  kind: string;
}

/** The most digits that a number is written with. */
const MOST_DIGITS = 100;
const DIRECTIVE = /%(?:\(([^)]*)\))?([-+ 0#]*)(\*|\d+)?(?:\.(\*|\d*))?(.?)/gsu;

/** Python's `text % values`. @throws TemplateFault as Python would */
export function format(text: string, values: Value): string {
  const left = values instanceof Tuple ? [...values] : [values];
  const next = (): Value => {
    const value = left.shift();
    if (value === undefined) throw new TemplateFault('not enough arguments for format string');
    return value;
  };
  takeText(text.length);
  const written = text.replaceAll(
    DIRECTIVE,
    (_, key: string | undefined, flags: string, ...rest: (string | undefined)[]) => {
      takeSteps(1);
      const [width, precision, kind = ''] = rest;
      if (kind === '%') return '%';
      const size = (given: string) => (given === '*' ? (numberOf(next()) ?? 0) : Number(given));
      const style = {
        align: flags.includes('-') ? '<' : flags.includes('0') ? '=' : '>',
        fill: flags.includes('0') && !flags.includes('-') ? '0' : ' ',
        sign: /\+/.exec(flags)?.[0] ?? / /.exec(flags)?.[0] ?? '-',
        isAlternate: flags.includes('#'),
        width: width === undefined ? 0 : size(width),
        precision: precision === undefined ? undefined : size(precision),
        kind,
      };
      const value = key === undefined ? next() : memberNamed(values, key);
      return directive(value, style);
    },
  );
  const isMapping = values instanceof Map || (Array.isArray(values) && !(values instanceof Tuple));
  if (left.length > 0 && !isMapping)
    throw new TemplateFault('not all arguments converted during string formatting');
  return written;
}

function memberNamed(values: Value, key: string): Value {
  if (!(values instanceof Map)) throw new TemplateFault('format requires a mapping');
  const value = values.get(key);
  if (value === undefined) throw new TemplateFault(`'${key}' is not in the dict`);
  return value;
}

function directive(value: Value, style: Style): string {
  const { kind, align = '>', fill = ' ' } = style;
  if ('sra'.includes(kind) && kind !== '') {
    const text = kind === 's' ? str(value) : repr(value);
    return padded(cut(text, style.precision), '', align === '=' ? '>' : align, ' ', style.width);
  }
  if (kind === 'c' && typeof value === 'string') return padded(value, '', align, ' ', style.width);
  if (!'diuoxXeEfFgGc'.includes(kind) || kind === '')
    throw new TemplateFault(`unsupported format character '${kind}'`);
  const number = 'diu'.includes(kind) ? Math.trunc(required(value)) : required(value);
  const isKept = typeof value === 'bigint' || (value instanceof Float && !'diu'.includes(kind));
  const its = isKept ? value : number;
  return numberText(its, { ...style, align, fill, kind: 'iu'.includes(kind) ? 'd' : kind });
}

function required(value: Value): number {
  const number = numberOf(value);
  if (number === undefined)
    throw new TemplateFault(`a real number is required, not ${typeName(value)}`);
  return number;
}

const FIELD = /\{\{|\}\}|\{([^{}[\].!:]*)((?:\.\w+|\[[^\]]*\])*)(?:!([sra]))?(?::([^{}]*))?\}/g;
const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([sbcdoxXneEfFgG%])?$/su;

/** Python's `text.format(...)`. @throws TemplateFault as Python would */
export function formatted(
  text: string,
  args: readonly Value[],
  named: Arguments,
  member: (whole: Value, name: Value, kind: 'attribute' | 'item') => Value,
): string {
  let next = 0;
  takeText(text.length);
  return text.replaceAll(
    FIELD,
    (all: string, field: string | undefined, ...rest: (string | undefined)[]) => {
      takeSteps(1);
      if (field === undefined) return all.charAt(0);
      const [path = '', conversion, spec = ''] = rest;
      const place = field === '' ? next++ : Number(field);
      const first = Number.isInteger(place) ? args[place] : named.get(field);
      if (first === undefined) throw new TemplateFault(`Replacement '${field}' has no value.`);
      const value = [...path.matchAll(/\.(\w+)|\[([^\]]*)\]/g)].reduce<Value>(
        (whole, [, attribute, item = '']) =>
          attribute === undefined
            ? member(whole, /^\d+$/.test(item) ? Number(item) : item, 'item')
            : member(whole, attribute, 'attribute'),
        first,
      );
      const shown =
        conversion === undefined ? value : conversion === 's' ? str(value) : repr(value);
      return spec === '' ? str(shown) : withSpec(shown, spec);
    },
  );
}

function withSpec(value: Value, spec: string): string {
  const found = SPEC.exec(spec);
  if (!found) throw new TemplateFault(`Invalid format specifier '${spec}'`);
  const [, fill, align, sign = '-', alternate, zero, width, grouping = '', precision, kind = ''] =
    found;
  const size = Number(width ?? 0);
  const digits = precision === undefined ? undefined : Number(precision);
  if (typeof value === 'string' || numberOf(value) === undefined) {
    if (!'s'.includes(kind)) throw new TemplateFault(`Unknown format code '${kind}'`);
    return padded(cut(str(value), digits), '', align ?? '<', fill ?? ' ', size);
  }
  return numberText(value, {
    align: align ?? (zero ? '=' : '>'),
    fill: fill ?? (zero ? '0' : ' '),
    sign,
    isAlternate: alternate !== undefined,
    width: size,
    grouping,
    precision: digits,
    kind,
  });
}

function cut(text: string, precision: number | undefined): string {
  return precision === undefined ? text : Array.from(text).slice(0, precision).join('');
}

function numberText(value: Value, style: Style): string {
  const { align = '>', fill = ' ', sign = '-', width } = style;
  const number = required(value);
  const isNegative = number < 0 || Object.is(number, -0);
  const mark = isNegative ? '-' : sign === '-' ? '' : sign;
  const [base, digits] = unsigned(value, Math.abs(number), style);
  return padded(digits, mark + base, align, fill, width);
}

const BASES: Record<string, [base: number, prefix: string]> = {
  b: [2, '0b'],
  o: [8, '0o'],
  x: [16, '0x'],
  X: [16, '0X'],
};

/** A prefix, and the digits of a number without its sign. */
function unsigned(value: Value, size: number, style: Style): [prefix: string, digits: string] {
  const { kind, grouping = '', isAlternate = false } = style;
  const [base, prefix] = BASES[kind] ?? [10, ''];
  if (kind === 'c') return ['', String.fromCodePoint(size)];
  if (base !== 10) {
    const its = typeof value === 'bigint' ? value : Math.trunc(size);
    const digits = its.toString(base).replace('-', '');
    return [isAlternate ? prefix : '', kind === 'X' ? digits.toUpperCase() : digits];
  }
  const isWhole = kind === 'd' || kind === 'n' || (kind === '' && !(value instanceof Float));
  const digits = isWhole ? wholeDigits(value, size) : fraction(value, size, style);
  return ['', grouping === '' ? digits : grouped(digits, grouping)];
}

/** An int's digits without its sign. */
function wholeDigits(value: Value, size: number): string {
  return String(typeof value === 'bigint' ? value : BigInt(Math.trunc(size))).replace('-', '');
}

function fraction(value: Value, size: number, { kind, precision }: Style): string {
  if (!Number.isFinite(size)) return Number.isNaN(size) ? 'nan' : 'inf';
  const places = Math.min(precision ?? 6, MOST_DIGITS);
  switch (kind) {
    case 'e':
    case 'E': {
      const text = exponent(size.toExponential(places));
      return kind === 'E' ? text.toUpperCase() : text;
    }
    case 'f':
    case 'F':
      return roundToEven(size, places).toFixed(places);
    case '%':
      return `${roundToEven(size * 100, places).toFixed(places)}%`;
    case '':
      return precision === undefined
        ? str(new Float(size))
        : general(size, Math.max(1, places), value instanceof Float);
    default: {
      const text = general(size, Math.max(1, places), false);
      return kind === 'G' ? text.toUpperCase() : text;
    }
  }
}

/** C's `%g`. @param keepsPoint - Python writes a float without a kind with at least one digit behind the point */
function general(size: number, digits: number, keepsPoint: boolean): string {
  const scientific = size.toExponential(digits - 1);
  const power = Number(scientific.slice(scientific.indexOf('e') + 1));
  if (power < -4 || power >= digits) {
    const [head = '', tail = ''] = exponent(scientific).split('e');
    return `${withoutZeros(head)}e${tail}`;
  }
  const text = withoutZeros(size.toFixed(Math.max(0, digits - 1 - power)));
  return keepsPoint && !text.includes('.') ? `${text}.0` : text;
}

function withoutZeros(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

function exponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

function grouped(digits: string, separator: string): string {
  const [whole = '', ...rest] = digits.split(/(?=[.e%])/);
  return whole.replaceAll(/\B(?=(?:\d{3})+$)/g, separator) + rest.join('');
}

function padded(text: string, mark: string, align: string, fill: string, width: number): string {
  takeText(text.length);
  const written = mark + text;
  const length = Array.from(written).length;
  const missing = Math.max(0, width - length);
  if (missing === 0) return written;
  const units = written.length - length;
  switch (align) {
    case '<':
      return padText(written, width + units, 'after', fill);
    case '^': {
      const left = padText('', Math.floor(missing / 2), 'before', fill);
      return padText(left + written, width + units, 'after', fill);
    }
    case '=':
      return mark + padText('', missing, 'before', fill) + text;
    default:
      return padText(written, width + units, 'before', fill);
  }
}
