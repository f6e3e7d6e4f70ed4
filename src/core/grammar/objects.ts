import {
  acceptsText,
  complement,
  intersect,
  TooComplex,
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
import { UnsupportedPattern } from './pattern.ts';
import { COLON, COMMA } from './punctuation.ts';
import { countsOf } from './scalars.ts';
import { subschema, type Located } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';
import { stringLanguage } from './strings.ts';
import { enumeratedValues } from './values.ts';

const MAX_COUNT = 100;
const MAX_PATTERNS = 4;

/** What objects need of the compiler. */
export interface ObjectTools {
  branches: Branches;
  /** A value for which all these schemas hold. */
  value(schemas: Located[]): Expression;
  /** A rule of its own for each key; the body is asked for once. */
  define(key: string, body: () => Expression): Expression;
  automatonString(automaton: Automaton): Expression;
}

/** How an object's members are written. */
export interface ObjectForm {
  open: string;
  close: string;
  /** A member's name and what follows it. */
  key(name: string): Expression;
  /** What follows a name that is written as a JSON string. */
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

/** @param key - tells this object from all others */
export function objectExpression(
  schemas: Conjunction,
  key: string,
  tools: ObjectTools,
  form: ObjectForm,
): Expression {
  const { min, max } = countsOf(schemas, 'minProperties', 'maxProperties');
  checkCounts(schemas, min, max);
  const keys = keyLanguage(schemas, tools.branches);
  const names = [...new Set([...declaredNames(schemas), ...(keys.names ?? [])])];
  const required = requiredNames(schemas);
  const allowed = (name: string) => keys.names?.includes(name) ?? acceptsText(keys.automaton, name);
  const extra = keys.names ? NEVER : extraMembers(schemas, names, keys.automaton, tools, form);
  checkDistinct(schemas, min, required.size, extra);
  /** Counts above this make no difference. */
  const cap = Math.max(1, min, max ?? 0);
  /** What follows when the first `index` names have been passed and `count` members written. */
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

/** Members with names that are not declared; NEVER where there may be none. */
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
  if (patterns.length > MAX_PATTERNS) throw invalidSchema(path, 'has too many patterns.');
  try {
    const free = intersect(keys, complement(textsAutomaton(names)));
    return choice(...keyClasses(free, patterns).map((found) => member(found)));
  } catch (error) {
    if (error instanceof TooComplex) throw invalidSchema(path, 'is too complex.');
    if (error instanceof UnsupportedPattern) throw invalidSchema(path, `${error.message}.`);
    throw error;
  }

  function member({ automaton, matching }: KeyClass): Expression {
    if (automaton.length === 0 || (matching.length === 0 && !isOpen(schemas))) return NEVER;
    const value = tools.value(unnamedSchemas(schemas, matching));
    return sequence(tools.automatonString(automaton), form.assign, value);
  }
}

interface KeyClass {
  automaton: Automaton;
  /** The patterns that match all its keys; the others match none. */
  matching: string[];
}

/** Splits keys by the patterns that match them. */
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

interface KeyLanguage {
  /** The only names, where they are enumerated. */
  names: string[] | undefined;
  automaton: Automaton;
}

/** What `propertyNames` allows. */
function keyLanguage(schemas: Conjunction, branches: Branches): KeyLanguage {
  const rules = schemas.flatMap((schema) => subschema(schema, 'propertyNames') ?? []);
  const [first, ...more] = rules.length > 0 ? branches.of(rules) : [];
  if (rules.length > 0 && !first) return { names: [], automaton: [] };
  if (!first) return { names: undefined, automaton: ANY_KEY };
  if (more.length > 0)
    throw invalidSchema(rules[0]?.path ?? '', 'has alternatives, which is not supported.');
  const values = enumeratedValues(first, branches)?.filter((value) => typeof value === 'string');
  const { automaton, counts } = stringLanguage(first);
  if (!values && !automaton && (counts.min > 0 || counts.max !== undefined)) {
    const source = `^[\\s\\S]{${counts.min},${counts.max ?? ''}}$`;
    return { names: undefined, automaton: patternAutomaton(source) };
  }
  return { names: values, automaton: automaton ?? ANY_KEY };
}

function checkCounts(schemas: Conjunction, min: number, max = 0): void {
  if (Math.max(min, max) <= MAX_COUNT) return;
  const keyword = min > MAX_COUNT ? 'minProperties' : 'maxProperties';
  const at = schemas.find(({ schema }) => schema[keyword] !== undefined);
  throw invalidSchema(pathTo(at?.path ?? '', keyword), `must be at most ${MAX_COUNT}.`);
}

/** No grammar can tell that a free name has been written before, and a name counts only once. */
function checkDistinct(
  schemas: Conjunction,
  min: number,
  required: number,
  extra: Expression,
): void {
  if (isNever(extra) || min <= required + 1) return;
  const at = schemas.find(({ schema }) => schema['minProperties'] !== undefined);
  const message = 'above 1 is not supported where names are free.';
  throw invalidSchema(pathTo(at?.path ?? '', 'minProperties'), message);
}
