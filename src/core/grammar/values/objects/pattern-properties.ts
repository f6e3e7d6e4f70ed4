import { acceptsText } from '../../regular/automaton.ts';
import type { Automaton } from '../../regular/state.ts';
import { patternAutomaton } from '../../regular/pattern-automaton.ts';
import { withPatternErrors } from '../../regular/pattern-errors.ts';
import { subschemaMap, type Checked, type JsonObject, type Located } from '../../schema/schema.ts';
import { pathTo } from '../../schema/schema-error.ts';

/** Automata by schema and pattern. They live as long as the schema. */
const compiled = new WeakMap<JsonObject, Map<string, Automaton>>();

/**
 * The schemas under `patternProperties` whose patterns match a name. Automata are used because a RegExp
 * would backtrack for ever with some patterns and names.
 *
 * @throws SchemaError for a pattern that cannot be enforced
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
