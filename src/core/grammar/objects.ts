import {
  acceptsText,
  complement,
  intersect,
  lengthAutomaton,
  textsAutomaton,
  type Automaton,
} from './automaton.ts';
import type { Branches, Conjunction } from './branches.ts';
import { ANY_CHAR } from './char-set.ts';
import { choice, EMPTY, isNever, NEVER, sequence, text, type Expression } from './expression.ts';
import {
  declaredNames,
  isOpen,
  memberPatterns,
  memberSchemas,
  requiredNames,
  unnamedSchemas,
} from './members.ts';
import { patternAutomaton } from './pattern-automaton.ts';
import { withPatternErrors } from './pattern-errors.ts';
import { COLON, COMMA } from './punctuation.ts';
import { limitedCounts } from './counts.ts';
import { subschema, type Located } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';
import { stringLanguage } from './strings.ts';
import { statedTypes } from './types.ts';
import { enumeratedValues } from './values.ts';

const MAX_COUNT = 100;
const MAX_PATTERNS = 4;
/** Characters. The grammar of longer names would be too large to compile. */
const MAX_NAME_LENGTH = 400;

/** What objectExpression needs from the compiler. */
export interface ObjectTools {
  branches: Branches;
  /** A value that satisfies all these schemas. */
  value(schemas: Located[]): Expression;
  /** Makes one rule for each key. Calls `body` only for a new key. */
  define(key: string, body: () => Expression): Expression;
  automatonString(automaton: Automaton): Expression;
}

/** How an object's members are written. */
export interface ObjectForm {
  open: string;
  close: string;
  /** A member's name and the sign between name and value. */
  key(name: string): Expression;
  /** The sign between name and value, after a name that is written as a JSON string. */
  assign: Expression;
}

export const AS_JSON: ObjectForm = {
  open: '{',
  close: '}',
  key: (name) => sequence(text(JSON.stringify(name)), COLON),
  assign: COLON,
};

/** As the keyword arguments of a call: `city="Bern", days=3`. */
export const AS_KEYWORDS: ObjectForm = {
  open: '',
  close: '',
  key: (name) => text(`${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}=`),
  assign: text('='),
};

const ANY_KEY: Automaton = [{ accepts: true, edges: [{ set: ANY_CHAR, to: 0 }] }];

/** @param key - identifies this object among all others: the prefix of its rules' keys */
export function objectExpression(
  schemas: Conjunction,
  key: string,
  tools: ObjectTools,
  form: ObjectForm,
): Expression {
  const { min, max } = limitedCounts(schemas, 'minProperties', 'maxProperties', MAX_COUNT);
  const keys = keyLanguage(schemas, tools.branches);
  const listed = 'names' in keys ? keys.names : [];
  const names = [...new Set([...declaredNames(schemas), ...listed])];
  const required = requiredNames(schemas);
  const allowed = (name: string) =>
    'names' in keys ? listed.includes(name) : acceptsText(keys.automaton, name);
  const extra = 'names' in keys ? NEVER : extraMembers(schemas, names, keys.automaton, tools, form);
  checkDistinct(schemas, min, required.size, extra);
  /** Counts above this are treated alike. */
  const cap = Math.max(1, min, max ?? 0);
  /** What follows when the first `index` names are decided and `count` members are written. */
  const tail = (index: number, count: number): Expression =>
    tools.define(`${key} ${index} ${count}`, () => {
      if (max !== undefined && count > max) return NEVER;
      const name = names[index];
      if (name === undefined) return extraTail(count);
      const member = () => sequence(form.key(name), tools.value(memberSchemas(schemas, name)));
      const present = allowed(name)
        ? sequence(
            count > 0 ? COMMA : EMPTY,
            member(),
            tail(index + 1, Math.min(count + 1, cap + 1)),
          )
        : NEVER;
      return required.has(name) ? present : choice(present, tail(index + 1, count));
    });
  const extraTail = (count: number): Expression => {
    const stop = count >= min && (max === undefined || count <= max) ? EMPTY : NEVER;
    if (max !== undefined && count >= max) return stop;
    const next = tail(names.length, Math.min(count + 1, cap + 1));
    return choice(stop, sequence(count > 0 ? COMMA : EMPTY, extra, next));
  };
  return sequence(text(form.open), tail(0, 0), text(form.close));
}

/** A member whose name is not declared; NEVER if there may be none. */
function extraMembers(
  schemas: Conjunction,
  names: readonly string[],
  keys: Automaton,
  tools: ObjectTools,
  form: ObjectForm,
): Expression {
  const patterns = memberPatterns(schemas);
  if (!isOpen(schemas) && patterns.length === 0) return NEVER;
  const at = schemas.find(({ schema }) => schema['patternProperties'] !== undefined);
  const path = pathTo(at?.path ?? schemas[0]?.path ?? '', 'patternProperties');
  if (patterns.length > MAX_PATTERNS)
    throw invalidSchema(path, `has more than ${MAX_PATTERNS} patterns.`);
  const member = ({ automaton, matching }: KeyClass): Expression => {
    if (automaton.length === 0 || (matching.length === 0 && !isOpen(schemas))) return NEVER;
    const value = tools.value(unnamedSchemas(schemas, matching));
    return sequence(tools.automatonString(automaton), form.assign, value);
  };
  const classes = withPatternErrors(path, () =>
    keyClasses(intersect(keys, complement(textsAutomaton(names))), patterns),
  );
  return choice(...classes.map(member));
}

interface KeyClass {
  automaton: Automaton;
  /** The patterns that match every key of this class. All other patterns match none of them. */
  matching: string[];
}

/** Groups keys by the patterns that match them. */
function keyClasses(keys: Automaton, patterns: readonly string[]): KeyClass[] {
  const all: KeyClass[] = [{ automaton: keys, matching: [] }];
  return patterns.reduce((classes, pattern) => {
    const matched = patternAutomaton(pattern);
    return classes.flatMap(({ automaton, matching }) => [
      { automaton: intersect(automaton, matched), matching: [...matching, pattern] },
      { automaton: intersect(automaton, complement(matched)), matching },
    ]);
  }, all);
}

/** The names that an object may have: a list of them, or all that an automaton accepts. */
type KeyLanguage = { names: string[] } | { automaton: Automaton };

/** What `propertyNames` allows. */
function keyLanguage(schemas: Conjunction, branches: Branches): KeyLanguage {
  const rules = schemas.flatMap((schema) => subschema(schema, 'propertyNames') ?? []);
  if (rules.length === 0) return { automaton: ANY_KEY };
  const [first, ...more] = branches.of(rules);
  // Names are strings.
  if (!first || !statedTypes(first).has('string')) return { names: [] };
  if (more.length > 0)
    throw invalidSchema(rules[0]?.path ?? '', 'has alternatives, which are not supported here.');
  const values = enumeratedValues(first, branches);
  if (values) return { names: values.filter((value) => typeof value === 'string') };
  return { automaton: stringLanguage(first).automaton ?? lengthLanguage(first) };
}

function lengthLanguage(schemas: Conjunction): Automaton {
  const { min, max } = limitedCounts(schemas, 'minLength', 'maxLength', MAX_NAME_LENGTH);
  return min > 0 || max !== undefined ? lengthAutomaton(min, max) : ANY_KEY;
}

/**
 * `minProperties` counts distinct names, and a grammar cannot tell whether a free name was written before.
 */
function checkDistinct(
  schemas: Conjunction,
  min: number,
  required: number,
  extra: Expression,
): void {
  if (isNever(extra) || min <= required + 1) return;
  const at = schemas.find(({ schema }) => schema['minProperties'] !== undefined);
  const message = `must be at most ${required + 1}, the required names plus one, where other names are free.`;
  throw invalidSchema(pathTo(at?.path ?? '', 'minProperties'), message);
}
