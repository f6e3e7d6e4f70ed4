import { canonical, listedValues } from './canonical.ts';
import {
  isObject,
  stringsOf,
  subschemaMap,
  type Checked,
  type Conjunction,
  type Located,
} from './schema.ts';
import { statedTypes } from './types.ts';

/**
 * Whether it is obvious that no value satisfies all these schemas. The check only keeps the number of branches low, so
 * it looks only at types, at listed values, and at the members that an object must have.
 */
export function isContradiction(schemas: Conjunction): boolean {
  if (schemas.length < 2) return false;
  const types = statedTypes(schemas);
  if (types.size === 0 || !hasListedValue(schemas)) return true;
  return types.size === 1 && types.has('object') && lacksMember(schemas);
}

/** False if `enum` and `const` leave no value. */
function hasListedValue(schemas: Conjunction): boolean {
  const [first, ...more] = schemas.flatMap(({ schema }) => listedValues(schema));
  if (!first) return true;
  const excluded = schemas.flatMap(({ derived }) => derived?.excluded ?? []).map(canonical);
  return [...first].some(
    (value) => more.every((list) => list.has(value)) && !excluded.includes(value),
  );
}

/** Whether a required member can have no value. */
function lacksMember(schemas: Conjunction): boolean {
  const required = new Set(schemas.flatMap((schema) => stringsOf(schema, 'required')));
  const maps = schemas.map((schema) => subschemaMap(schema, 'properties'));
  return [...required].some((name) => {
    const found = maps.flatMap((map) => map.get(name) ?? []);
    return found.some(({ schema }) => schema === false) || isContradiction(direct(found));
  });
}

/** The schemas of a member whose keywords can be read without following references. */
function direct(found: readonly Located[]): Checked[] {
  return found.flatMap(({ schema, ...rest }) => (isObject(schema) ? [{ ...rest, schema }] : []));
}
