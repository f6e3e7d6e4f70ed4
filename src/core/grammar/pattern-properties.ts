import { acceptsText, type Automaton } from './automaton.ts';
import { patternAutomaton } from './pattern-automaton.ts';
import { withPatternErrors } from './pattern-errors.ts';
import { subschemaMap, type Checked, type JsonObject, type Located } from './schema.ts';
import { pathTo } from './schema-error.ts';

/** Automata by schema and pattern. They live as long as the schema. */
const compiled = new WeakMap<JsonObject, Map<string, Automaton>>();

/**
 * The schemas under `patternProperties` whose patterns match a name. Automata are used because a RegExp
 * would backtrack for ever with some patterns and names.
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
  const at = pathTo(path, 'patternProperties');
  const automaton = known.get(pattern) ?? withPatternErrors(at, () => patternAutomaton(pattern));
  known.set(pattern, automaton);
  return automaton;
}
