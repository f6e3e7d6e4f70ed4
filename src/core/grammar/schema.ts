import { invalidSchema, pathTo } from './schema-error.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** A schema and where it stands; the path tells it from every other. */
export interface Located {
  schema: JsonObject | boolean;
  path: string;
}

/** A schema that is an object and has been checked: its keywords have the types they should. */
export interface Checked {
  schema: JsonObject;
  path: string;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws ApiError 400 when something else stands where a schema should */
export function located(value: unknown, path: string): Located {
  if (typeof value === 'boolean' || isObject(value)) return { schema: value, path };
  throw invalidSchema(path, 'must be a JSON Schema: an object or a boolean.');
}

/** The schema under a keyword, if there is one. */
export function subschema({ schema, path }: Checked, keyword: string): Located | undefined {
  const value = schema[keyword];
  return value === undefined ? undefined : located(value, pathTo(path, keyword));
}

/** The schemas of a keyword that holds a list of them. */
export function subschemaList({ schema, path }: Checked, keyword: string): Located[] {
  const value = schema[keyword];
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown, index) => located(item, pathTo(path, keyword, index)));
}

/** The schemas of a keyword that names them. */
export function subschemaMap({ schema, path }: Checked, keyword: string): Map<string, Located> {
  const value = schema[keyword];
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(entries.map(([name, item]) => [name, located(item, pathTo(path, keyword, name))]));
}

/** A keyword's number, where it is one. */
export function numberOf({ schema }: Checked, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

export function stringOf({ schema }: Checked, keyword: string): string | undefined {
  const value = schema[keyword];
  return typeof value === 'string' ? value : undefined;
}

export function stringsOf({ schema }: Checked, keyword: string): string[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
