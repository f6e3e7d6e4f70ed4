import {
  stringsOf,
  subschema,
  subschemaMap,
  type Checked,
  type Conjunction,
  type Located,
} from '../../schema/schema.ts';
import { matchingSchemas } from './pattern-properties.ts';

/** The schemas that the member with this name must satisfy. */
export function memberSchemas(schemas: Conjunction, name: string): Located[] {
  return schemas.flatMap((schema) => {
    const own = subschemaMap(schema, 'properties').get(name);
    const matching = matchingSchemas(schema, name);
    return withRest(schema, own ? [own, ...matching] : matching);
  });
}

/** The schemas for a member that no schema names and whose name matches exactly these patterns. */
export function unnamedSchemas(schemas: Conjunction, patterns: readonly string[]): Located[] {
  return schemas.flatMap((schema) => {
    const own = [...subschemaMap(schema, 'patternProperties')];
    return withRest(
      schema,
      own.filter(([pattern]) => patterns.includes(pattern)).map(([, found]) => found),
    );
  });
}

function withRest(schema: Checked, found: Located[]): Located[] {
  const rest = subschema(schema, 'additionalProperties');
  return found.length === 0 && rest ? [rest] : found;
}

export function requiredNames(schemas: Conjunction): Set<string> {
  return new Set(schemas.flatMap((schema) => stringsOf(schema, 'required')));
}

/** Names under `properties`, then names that are only required, in the order of the schemas. */
export function declaredNames(schemas: Conjunction): string[] {
  const named = schemas.flatMap((schema) => [...subschemaMap(schema, 'properties').keys()]);
  return [...new Set([...named, ...requiredNames(schemas)])];
}

export function memberPatterns(schemas: Conjunction): string[] {
  const patterns = schemas.flatMap((schema) => [
    ...subschemaMap(schema, 'patternProperties').keys(),
  ]);
  return [...new Set(patterns)];
}

/**
 * Whether an object may have members that no keyword names. JSON Schema allows them by default. If the
 * schema is strict, it has to ask for them with `additionalProperties`, unless it has no properties at all:
 * authors who list properties mean only these, and a small model would keep adding members.
 */
export function isOpen(schemas: Conjunction, isStrict: boolean): boolean {
  if (!isStrict) return true;
  // The compiler's own schemas come from schemas that must not hold, so they do not list the properties of an object.
  const written = schemas.filter(({ derived }) => !derived);
  const says = (keyword: string) => written.some(({ schema }) => schema[keyword] !== undefined);
  return says('additionalProperties') || !(says('properties') || says('patternProperties'));
}
