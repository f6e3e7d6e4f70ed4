import { isObject, type JsonObject } from './schema.ts';

/** The same text for values that JSON Schema calls equal: the order of members does not matter. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
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
