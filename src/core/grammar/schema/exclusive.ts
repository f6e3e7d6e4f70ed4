import { intersect, lengthAutomaton, TooComplex } from '../regular/automaton.ts';
import type { Automaton } from '../regular/state.ts';
import { elementSchemas } from '../values/arrays/elements.ts';
import { enumeratedValues } from '../values/enumerated.ts';
import { compare } from '../values/numbers/decimal.ts';
import { declaredNames, memberSchemas, requiredNames } from '../values/objects/members.ts';
import { numberConstraints } from '../values/numbers/number-constraints.ts';
import { stringLanguage, type Reading } from '../values/strings/string-language.ts';
import type { Branches } from './branches.ts';
import { type Conjunction, type Located, countsOf } from './schema.ts';
import { SchemaError } from './schema-error.ts';
import { statedTypes, type JsonType } from './types.ts';

/** Levels of nesting that are compared. Deeper down, any two schemas count as overlapping. */
const MAX_DEPTH = 4;

/** Whether it is certain that no value is valid under both. */
export function areExclusive(
  a: readonly Located[],
  b: readonly Located[],
  branches: Branches,
  depth = 0,
): boolean {
  if (depth > MAX_DEPTH) return false;
  const [left, right] = [branches.of(a), branches.of(b)];
  return left.every((one) => right.every((other) => branchesExclude(one, other, branches, depth)));
}

function branchesExclude(
  a: Conjunction,
  b: Conjunction,
  branches: Branches,
  depth: number,
): boolean {
  const both = [...a, ...b];
  const types = statedTypes(both);
  if (types.size === 0) return true;
  const values = enumeratedValues(both, branches, 'possible');
  if (values) return values.length === 0;
  // Integers are numbers: comparing the ranges of numbers is enough.
  if (types.has('number')) types.delete('integer');
  return [...types].every((type) => typeExcludes(type, a, b, branches, depth));
}

function typeExcludes(
  type: JsonType,
  a: Conjunction,
  b: Conjunction,
  branches: Branches,
  depth: number,
): boolean {
  switch (type) {
    case 'null':
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return rangesExclude([...a, ...b]);
    case 'string':
      return languagesExclude(a, b);
    case 'array':
      return arraysExclude(a, b, branches, depth);
    case 'object':
      return objectsExclude(a, b, branches, depth);
  }
}

function rangesExclude(both: Conjunction): boolean {
  const { min, max } = numberConstraints(both, false);
  if (!min || !max) return false;
  return compare(max.value, min.value) < Number(min.exclusive || max.exclusive);
}

function languagesExclude(a: Conjunction, b: Conjunction): boolean {
  const { min, max } = countsOf([...a, ...b], 'minLength', 'maxLength');
  if (max !== undefined && min > max) return true;
  try {
    // No text that is written under one schema may be possible under the other.
    return (
      haveNothingInCommon(languageOf(a, 'written'), languageOf(b, 'possible')) &&
      haveNothingInCommon(languageOf(a, 'possible'), languageOf(b, 'written'))
    );
  } catch (error) {
    // Texts that cannot be compared may be the same.
    if (error instanceof TooComplex || error instanceof SchemaError) return false;
    throw error;
  }
}

/** @param a - undefined: any text */
function haveNothingInCommon(a: Automaton | undefined, b: Automaton | undefined): boolean {
  return a !== undefined && b !== undefined && intersect(a, b).length === 0;
}

function languageOf(schemas: Conjunction, reading: Reading): Automaton | undefined {
  const { min, max } = countsOf(schemas, 'minLength', 'maxLength');
  const isShort = Math.max(min, max ?? 0) < 500 && (min > 0 || max !== undefined);
  return stringLanguage(schemas, reading) ?? (isShort ? lengthAutomaton(min, max) : undefined);
}

function arraysExclude(a: Conjunction, b: Conjunction, branches: Branches, depth: number): boolean {
  const { min, max } = countsOf([...a, ...b], 'minItems', 'maxItems');
  if (max !== undefined && min > max) return true;
  return Array.from({ length: Math.min(min, 10) }, (_, index) => index).some((index) =>
    areExclusive(elementSchemas(a, index), elementSchemas(b, index), branches, depth + 1),
  );
}

/** Two objects exclude each other if a member that one of them requires has no value valid in both. */
function objectsExclude(
  a: Conjunction,
  b: Conjunction,
  branches: Branches,
  depth: number,
): boolean {
  const required = new Set([...requiredNames(a), ...requiredNames(b)]);
  return declaredNames([...a, ...b])
    .filter((name) => required.has(name))
    .some((name) =>
      areExclusive(memberSchemas(a, name), memberSchemas(b, name), branches, depth + 1),
    );
}
