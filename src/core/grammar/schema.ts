import { invalidSchema, pathTo } from './schema-error.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** A schema and its path in the request. No two schemas have the same path. */
export interface Located {
  schema: JsonObject | boolean;
  path: string;
}

/** An object schema whose own keywords have been checked: each has a value of the right type. */
export interface Checked {
  schema: JsonObject;
  path: string;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws ApiError 400 if the value is not a schema */
export function located(value: unknown, path: string): Located {
  if (typeof value === 'boolean' || isObject(value)) return { schema: value, path };
  throw invalidSchema(path, 'must be a JSON Schema: an object or a boolean.');
}

/** The schema under a keyword, if there is one. */
export function subschema({ schema, path }: Checked, keyword: string): Located | undefined {
  const value = schema[keyword];
  return value === undefined ? undefined : located(value, pathTo(path, keyword));
}

/** The schemas of a keyword whose value is a list of schemas. */
export function subschemaList({ schema, path }: Checked, keyword: string): Located[] {
  const value = schema[keyword];
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown, index) => located(item, pathTo(path, keyword, index)));
}

/** The schemas of a keyword whose value is an object of schemas, by name. */
export function subschemaMap({ schema, path }: Checked, keyword: string): Map<string, Located> {
  const value = schema[keyword];
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(entries.map(([name, item]) => [name, located(item, pathTo(path, keyword, name))]));
}

/** The keyword's value if it is a number. */
export function numberOf({ schema }: Checked, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

/** The keyword's value if it is a string. */
export function stringOf({ schema }: Checked, keyword: string): string | undefined {
  const value = schema[keyword];
  return typeof value === 'string' ? value : undefined;
}

/** The strings in the keyword's value if it is a list. */
export function stringsOf({ schema }: Checked, keyword: string): string[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
