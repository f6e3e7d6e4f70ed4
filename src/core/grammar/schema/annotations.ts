import { keysOf, SchemaError } from './schema-error.ts';
import { isObject, type JsonObject } from './schema.ts';

/** Most keywords that are left out one by one. Each takes another compilation. */
const MAX_LEFT_OUT = 50;

/** What is held of a schema that cannot be enforced in any part. */
const ANY_OBJECT = { type: 'object', additionalProperties: true };

/**
 * The grammar of a schema without the keywords that cannot be enforced.
 *
 * @param compile - throws a SchemaError that names a keyword
 */
export function asFarAsPossible(schema: unknown, compile: (schema: unknown) => string): string {
  let rest = schema;
  for (let leftOut = 0; leftOut < MAX_LEFT_OUT; leftOut++) {
    try {
      return compile(rest);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      const less = without(rest, keysOf(error.path));
      if (less === rest) break;
      rest = less;
    }
  }
  return compile(ANY_OBJECT);
}

/** Keywords that would allow less, not more, if something in them were left out. */
const TURNED = new Set(['not', 'if', 'dependentSchemas']);

/** Keywords whose values are objects of schemas. One that cannot be read allows anything. */
const MAPS = new Set(['properties', '$defs', 'definitions', 'dependencies']);

/** A copy without the value at a path. Returns the value itself if there is nothing at the path. */
function without(value: unknown, [key, ...below]: readonly (string | number)[]): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) return withoutElement(value, Number(key), below);
  if (!isObject(value) || !Object.hasOwn(value, key)) return value;
  const { [key]: member, ...others } = value;
  const [name] = below;
  if (below.length === 1 && MAPS.has(String(key)) && isObject(member) && name !== undefined) {
    return { ...value, [key]: { ...member, [name]: true } };
  }
  if (below.length === 0 || (typeof key === 'string' && TURNED.has(key))) return others;
  // Alternatives that may overlap are alternatives all the same.
  const rest = key === 'oneOf' && below.length === 1 ? [...asList(member)] : without(member, below);
  if (rest === member) return value;
  return key === 'oneOf' ? withAnyOf(others, rest) : { ...value, [key]: rest };
}

function withoutElement(
  list: readonly unknown[],
  index: number,
  below: readonly (string | number)[],
): unknown {
  if (!(index in list)) return list;
  // A schema in a list that cannot be read allows anything.
  const rest = below.length === 0 ? true : without(list[index], below);
  return rest === list[index] ? list : list.with(index, rest);
}

/** Alternatives that allow more may overlap, so that one of them has to hold, not exactly one. */
function withAnyOf(others: JsonObject, alternatives: unknown): JsonObject {
  const { allOf = [], ...rest } = others;
  return { ...rest, allOf: [...asList(allOf), { anyOf: alternatives }] };
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
