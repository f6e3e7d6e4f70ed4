import { joinTexts, repeatText } from './built-texts.ts';
import { takeSteps, takeText } from '../limits/render-limits.ts';
import { Float, Tuple, Undefined, type Value, typeName } from './values.ts';

/** Python's `str(value)`. */
export function str(value: Value): string {
  if (typeof value === 'string') return value;
  return value instanceof Undefined ? '' : repr(value);
}

/** Python's `repr(value)`. */
export function repr(value: Value): string {
  takeSteps(1);
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value instanceof Float) return floatText(value.value);
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Map) {
    const members = [...value].map(([key, its]) => `${repr(key)}: ${repr(its)}`);
    return `{${joinTexts(members, ', ')}}`;
  }
  if (value instanceof Tuple)
    return `(${joinTexts(value.map(repr), ', ')}${value.length === 1 ? ',' : ''})`;
  if (Array.isArray(value)) return `[${joinTexts(value.map(repr), ', ')}]`;
  if (value instanceof Undefined) return 'Undefined';
  return typeof value === 'object' ? `<${typeName(value)}>` : String(value);
}

export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return Number.isInteger(value) ? `${Object.is(value, -0) ? '-0' : value}.0` : String(value);
}

/** Characters that Python writes as codes. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function codeOf(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16);
  if (hex.length > 4) return `\\U${hex.padStart(8, '0')}`;
  return hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`;
}

function quoted(text: string): string {
  takeText(text.length);
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll(quote, `\\${quote}`);
  return quote + escaped.replaceAll(UNPRINTABLE, codeOf) + quote;
}

interface JsonStyle {
  indent?: string | undefined;
  separators?: [item: string, key: string] | undefined;
  ensureAscii?: boolean;
  sortKeys?: boolean;
}

/** Python's `json.dumps`. @throws TypeError for what is not JSON */
export function dumps(value: Value, style: JsonStyle = {}, depth = 0): string {
  takeSteps(1);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return jsonText(value, style);
  if (value instanceof Float)
    return floatText(value.value).replace('inf', 'Infinity').replace('nan', 'NaN');
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  const inner = (each: Value) => dumps(each, style, depth + 1);
  if (Array.isArray(value)) return block('[', ']', value.map(inner), style, depth);
  if (value instanceof Map) {
    const [, colon] = separators(style);
    const entries = style.sortKeys
      ? [...value].toSorted(([a], [b]) => (str(a) < str(b) ? -1 : 1))
      : [...value];
    const members = entries.map(([key, its]) => jsonText(keyText(key), style) + colon + inner(its));
    return block('{', '}', members, style, depth);
  }
  throw new TypeError(`Object of type ${typeName(value)} is not JSON serializable`);
}

function keyText(key: Value): string {
  if (typeof key === 'string') return key;
  return key === null || typeof key === 'boolean' ? String(key) : repr(key);
}

/** Characters that are escaped one by one in the time of a step. */
const ESCAPED = 4;

function jsonText(text: string, { ensureAscii }: JsonStyle): string {
  takeText(text.length);
  const json = JSON.stringify(text);
  if (!ensureAscii) return json;
  takeSteps(text.length / ESCAPED);
  return json.replaceAll(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function separators({ separators: own, indent }: JsonStyle): [item: string, key: string] {
  return own ?? [indent === undefined ? ', ' : ',', ': '];
}

function block(
  open: string,
  close: string,
  parts: string[],
  style: JsonStyle,
  depth: number,
): string {
  if (parts.length === 0) return open + close;
  const [comma] = separators(style);
  if (style.indent === undefined) return open + joinTexts(parts, comma) + close;
  const line = `\n${repeatText(style.indent, depth)}`;
  const inner = line + style.indent;
  return open + inner + joinTexts(parts, comma + inner) + line + close;
}
