import type { Conjunction } from './branches.ts';
import { matchingSchemas } from './pattern-properties.ts';
import { stringsOf, subschema, subschemaMap, type Checked, type Located } from './schema.ts';

/** What must hold for the member of an object that has this name. */
export function memberSchemas(schemas: Conjunction, name: string): Located[] {
  return schemas.flatMap((schema) => {
    const own = subschemaMap(schema, 'properties').get(name);
    const matching = matchingSchemas(schema, name);
    return withRest(schema, own ? [own, ...matching] : matching);
  });
}

/** What must hold for a member that no schema names and that just these patterns match. */
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

/** Names under `properties`, then those only required, each in the order of the schemas. */
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
 * Whether members may be added that no keyword speaks of. Where a schema has properties and does not
 * say, they may not: who lists properties means these, and a small model would not stop adding.
 */
export function isOpen(schemas: Conjunction): boolean {
  const says = (keyword: string) => schemas.some(({ schema }) => schema[keyword] !== undefined);
  return says('additionalProperties') || !(says('properties') || says('patternProperties'));
}
