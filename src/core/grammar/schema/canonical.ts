import { decimalOf } from '../values/numbers/decimal.ts';
import { isObject, type JsonObject } from './schema.ts';

/**
 * The JSON of a value. Integers that no double holds are bigints and keep their digits. An infinite number, which JSON
 * does not have, differs from `null`.
 */
export function jsonText(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    if (!text.includes('null')) return text;
  } catch (error) {
    // JSON.stringify is faster, but throws for a bigint.
    if (!(error instanceof TypeError)) throw error;
  }
  return textOf(
    value,
    (members) => members,
    (scalar) => (typeof scalar === 'number' ? String(scalar) : JSON.stringify(scalar)),
  );
}

/** A key that values share if JSON Schema calls them equal: the order of members does not matter. */
export function canonical(value: unknown): string {
  return textOf(
    value,
    (members) => members.sort(([a], [b]) => (a < b ? -1 : 1)),
    (scalar) =>
      Number.isInteger(scalar) ? String(decimalOf(Number(scalar)).digits) : JSON.stringify(scalar),
  );
}

type Members = [name: string, value: unknown][];

function textOf(
  value: unknown,
  ordered: (members: Members) => Members,
  scalar: (value: unknown) => string,
): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) {
    return `[${value.map((item) => textOf(item, ordered, scalar)).join()}]`;
  }
  if (!isObject(value)) return scalar(value);
  const members = ordered(Object.entries(value).filter(([, item]) => item !== undefined));
  const texts = members.map(
    ([name, item]) => `${JSON.stringify(name)}:${textOf(item, ordered, scalar)}`,
  );
  return `{${texts.join()}}`;
}

const known = new WeakMap<JsonObject, ReadonlySet<string>[]>();

/** The canonical values that `enum` and `const` of a schema each list. */
export function listedValues(schema: JsonObject): ReadonlySet<string>[] {
  const found = known.get(schema) ?? valueLists(schema).map((list) => new Set(list.map(canonical)));
  known.set(schema, found);
  return found;
}

/** The values that `enum` and `const` of a schema each list. */
export function valueLists(schema: JsonObject): unknown[][] {
  const list: unknown = schema['enum'];
  const own = Array.isArray(list) ? [list] : [];
  return Object.hasOwn(schema, 'const') ? [...own, [schema['const']]] : own;
}
