import { acceptsText, TooComplex, type Automaton } from './automaton.ts';
import { patternAutomaton } from './pattern-automaton.ts';
import { UnsupportedPattern } from './pattern.ts';
import { subschemaMap, type Checked, type JsonObject, type Located } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';

/** By schema and pattern; gone with the schema. */
const compiled = new WeakMap<JsonObject, Map<string, Automaton>>();

/**
 * The schemas under `patternProperties` whose patterns are found in a name. Automata tell: for a RegExp
 * there are patterns and names that it is never done with.
 *
 * @throws ApiError 400 for a pattern that cannot be enforced
 */
export function matchingSchemas(schema: Checked, name: string): Located[] {
  return [...subschemaMap(schema, 'patternProperties')]
    .filter(([pattern]) => acceptsText(automatonOf(schema, pattern), name))
    .map(([, found]) => found);
}

function automatonOf({ schema, path }: Checked, pattern: string): Automaton {
  const known = compiled.get(schema) ?? new Map<string, Automaton>();
  compiled.set(schema, known);
  const automaton = known.get(pattern) ?? compile(pattern, pathTo(path, 'patternProperties'));
  known.set(pattern, automaton);
  return automaton;
}

function compile(pattern: string, path: string): Automaton {
  try {
    return patternAutomaton(pattern);
  } catch (error) {
    if (error instanceof TooComplex) throw invalidSchema(path, 'is too complex.');
    if (error instanceof UnsupportedPattern) throw invalidSchema(path, `${error.message}.`);
    throw error;
  }
}
