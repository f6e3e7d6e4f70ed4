import { decimalOf, isNumber, type Decimal } from '../values/numbers/decimal.ts';
import { derivedPath, pathTo, SchemaError } from './schema-error.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** A schema and its path. No two schemas have the same path. */
export interface Located {
  schema: JsonObject | boolean;
  path: string;
  /** Demands of the schema beyond its keywords. Only schemas that the compiler made have any. */
  derived?: Demands;
}

/** Demands on a value that no keyword can express. They come from schemas that must not hold. */
export interface Demands {
  /** Values that are not allowed. */
  excluded?: readonly unknown[];
  /** A number must have a fraction. */
  isFraction?: boolean;
  /** A number must not be a multiple of this one. */
  indivisible?: Decimal;
  /** An object must have a member with such a name and such a value. */
  someMember?: { name: Located; value: Located };
  /** An array must have such an element at this index or later. */
  someElement?: { from: number; value: Located };
}

/** An object schema whose own keywords have been checked: each has a value of the right type. */
export interface Checked extends Located {
  schema: JsonObject;
}

/** Schemas that must all hold. */
export type Conjunction = readonly Checked[];

/** Alternatives of which one must hold. Each is a list of schemas that must all hold. */
export type Group = Located[][];

/** Stands for a subschema in a schema that the compiler made. The subschema keeps its own path. */
class Embedded {
  readonly content: Located;

  constructor(content: Located) {
    this.content = content;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Embedded)
  );
}

/**
 * A schema that the compiler makes.
 *
 * @param origin - the schema that it comes from
 * @param name - tells it from others with the same origin
 * @param schema - a schema whose subschemas are embedded
 */
export function derive(
  origin: Located,
  name: string,
  schema: JsonObject,
  derived: Demands = {},
): Checked {
  return { schema, path: derivedPath(origin.path, name), derived };
}

export function embed(content: Located): unknown {
  return new Embedded(content);
}

/** @throws SchemaError if the value is not a schema */
export function located(value: unknown, path: string): Located {
  if (value instanceof Embedded) return value.content;
  if (typeof value === 'boolean' || isObject(value)) return { schema: value, path };
  throw new SchemaError(path, 'must be a JSON Schema: an object or a boolean.');
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

type SchemaMap = ReadonlyMap<string, Located>;

const maps = new WeakMap<JsonObject, { path: string; map: SchemaMap }>();

/** The schemas of a keyword whose value is an object of schemas, by name. */
export function subschemaMap({ schema, path }: Checked, keyword: string): SchemaMap {
  const value = schema[keyword];
  if (!isObject(value)) return new Map();
  const known = maps.get(value);
  const at = pathTo(path, keyword);
  if (known?.path === at) return known.map;
  const entries = Object.entries(value);
  const map = new Map(entries.map(([name, item]) => [name, located(item, pathTo(at, name))]));
  maps.set(value, { path: at, map });
  return map;
}

/** The keyword's value if it is a number, as a double. */
export function numberOf({ schema }: Checked, keyword: string): number | undefined {
  const value = schema[keyword];
  return isNumber(value) ? Number(value) : undefined;
}

/** The keyword's value if it is a number. */
export function decimalUnder({ schema }: Checked, keyword: string): Decimal | undefined {
  const value = schema[keyword];
  return isNumber(value) ? decimalOf(value) : undefined;
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

/** The schema that holds wherever another does not. */
export function negation(schema: Located): Located {
  if (typeof schema.schema === 'boolean') {
    return { schema: !schema.schema, path: `${schema.path} not` };
  }
  return derive(schema, 'not', { not: embed(schema) });
}

/** Whether a schema that must not hold excludes this value. */
export function isExcluded(value: unknown, schemas: Conjunction): boolean {
  return schemas.some(({ derived }) => derived?.excluded?.includes(value));
}

export interface Counts {
  min: number;
  max: number | undefined;
}

/** No value is so large. JavaScript cannot count further. */
const MOST = Number.MAX_SAFE_INTEGER;

/** The largest minimum and the smallest maximum of a keyword pair such as `minItems`, `maxItems`. */
export function countsOf(schemas: Conjunction, minimum: string, maximum: string): Counts {
  const values = (keyword: string) =>
    schemas.map((schema) => numberOf(schema, keyword)).filter((value) => value !== undefined);
  const maxima = values(maximum).filter((value) => value <= MOST);
  return {
    min: Math.min(MOST, Math.max(0, ...values(minimum))),
    max: maxima.length > 0 ? Math.min(...maxima) : undefined,
  };
}
