import { jsonText } from '../../schema/canonical.ts';
import { typeOf, type JsonType } from '../../schema/types.ts';
import { writtenName, type Notation, type ValueType } from './notation.ts';

/** The members of an object in a notation. */
export function writtenMembers(notation: Notation, members: object): string {
  return Object.entries(members)
    .map(([name, value]) => writtenMember(notation, name, value))
    .join(notation.separator);
}

/** A member with the marks beside its value. */
export function writtenMember(notation: Notation, name: string, value: unknown): string {
  const { marks, strings, closes } = notation;
  const { before, after } = marks[valueType(typeOf(value))];
  const isRaw = strings === 'raw' && typeof value === 'string';
  const written = isRaw ? value : writtenValue(notation, value);
  const closing = closes === true ? name + before : '';
  return writtenName(notation, name) + before + written + after + closing;
}

/** A value without the marks beside it. */
export function writtenValue(notation: Notation, value: unknown): string {
  const { words, nested, separator } = notation;
  if (value === null) return words.null;
  if (typeof value === 'boolean') return words[value ? 'true' : 'false'];
  if (nested === 'json' || typeof value === 'number' || typeof value === 'bigint') {
    return jsonText(value);
  }
  if (nested === 'bare') return bare(notation, value);
  if (Array.isArray(value)) {
    return value.map((one) => writtenMember(notation, nested.item, one)).join(separator);
  }
  return typeof value === 'object' ? writtenMembers(notation, value) : jsonText(value);
}

function bare(notation: Notation, value: unknown): string {
  const quote = quoteOf(notation);
  if (typeof value === 'string') return `${quote}${value}${quote}`;
  const inner = (one: unknown) => writtenValue(notation, one);
  if (Array.isArray(value)) return `[${value.map(inner).join(',')}]`;
  const members = Object.entries(value ?? {}).map(([name, one]) => `${name}:${inner(one)}`);
  return `{${members.join(',')}}`;
}

/** The mark around strings within values. */
export function quoteOf({ marks }: Notation): string {
  return marks.string.after;
}

export function valueType(type: JsonType): ValueType {
  return type === 'integer' ? 'number' : type;
}
