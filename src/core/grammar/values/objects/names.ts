import {
  acceptsText,
  ANY_TEXT,
  complement,
  intersect,
  otherTextsAutomaton,
  textsAutomaton,
  unite,
} from '../../regular/automaton.ts';
import type { Automaton } from '../../regular/state.ts';
import { patternAutomaton } from '../../regular/pattern-automaton.ts';
import { withPatternErrors } from '../../regular/pattern-errors.ts';
import type { Branches } from '../../schema/branches.ts';
import { subschema, type Conjunction, type Located, countsOf } from '../../schema/schema.ts';
import { pathTo, SchemaError } from '../../schema/schema-error.ts';
import { statedTypes } from '../../schema/types.ts';
import { enumeratedValues } from '../enumerated.ts';
import { memberPatterns } from './members.ts';
import { limited, stringLanguage } from '../strings/string-language.ts';

/** The patterns in `patternProperties` of one object may overlap in this many ways. */
const MAX_CLASSES = 64;

/** The names that an object may have. */
export interface NameLanguage {
  automaton: Automaton;
  /** All names, if they are listed. */
  listed: string[] | undefined;
}

/** What `propertyNames` allows. */
export function nameLanguage(schemas: Conjunction, branches: Branches): NameLanguage {
  const rules = schemas.flatMap((schema) => subschema(schema, 'propertyNames') ?? []);
  return rules.length === 0
    ? { automaton: ANY_TEXT, listed: undefined }
    : languageOf(rules, branches);
}

/** The texts that are valid under all these schemas. */
export function languageOf(schemas: readonly Located[], branches: Branches): NameLanguage {
  const found = branches
    .of(schemas)
    .filter((branch) => statedTypes(branch).has('string'))
    .map((branch) => branchLanguage(branch, branches));
  const lists = found.map(({ listed }) => listed);
  return {
    automaton: found.map(({ automaton }) => automaton).reduce(unite, []),
    listed: lists.some((list) => list === undefined)
      ? undefined
      : [...new Set(lists.flatMap((list) => list ?? []))],
  };
}

function branchLanguage(branch: Conjunction, branches: Branches): NameLanguage {
  const values = enumeratedValues(branch, branches);
  const texts = values?.filter((value) => typeof value === 'string');
  if (texts) return { automaton: textsAutomaton(texts), listed: texts };
  const counts = countsOf(branch, 'minLength', 'maxLength');
  return { automaton: stringLanguage(branch) ?? limited(ANY_TEXT, counts), listed: undefined };
}

/** A class of names that match the same patterns of an object. */
export interface NameClass {
  automaton: Automaton;
  /** Tells this class from others of the same object. */
  name: string;
  /** The patterns that match every name of this class. All other patterns match none of them. */
  patterns: string[];
}

/** Groups all names but the declared ones by the patterns that match them. */
export function nameClasses(
  schemas: Conjunction,
  declared: readonly string[],
  allowed: Automaton,
): NameClass[] {
  const at = schemas.find(({ schema }) => schema['patternProperties'] !== undefined);
  const path = pathTo(at?.path ?? schemas[0]?.path ?? '', 'patternProperties');
  const others = otherTextsAutomaton(declared);
  return withPatternErrors(path, () => {
    const all = allowed === ANY_TEXT ? others : intersect(allowed, others);
    return memberPatterns(schemas).reduce(
      (classes, pattern) => {
        if (classes.length > MAX_CLASSES) throw new SchemaError(path, 'overlap in too many ways.');
        return split(classes, pattern);
      },
      [{ name: '', automaton: all, patterns: [] as string[] }],
    );
  });
}

function split(classes: NameClass[], pattern: string): NameClass[] {
  const matched = patternAutomaton(pattern);
  const others = complement(matched);
  return classes
    .flatMap(({ name, automaton, patterns }) => [
      {
        name: `${name}1`,
        automaton: intersect(automaton, matched),
        patterns: [...patterns, pattern],
      },
      { name: `${name}0`, automaton: intersect(automaton, others), patterns },
    ])
    .filter(({ automaton }) => automaton.length > 0);
}

export function acceptsName({ automaton, listed }: NameLanguage, name: string): boolean {
  return listed ? listed.includes(name) : acceptsText(automaton, name);
}
