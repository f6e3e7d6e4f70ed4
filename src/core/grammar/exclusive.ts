import { elementSchemas } from './arrays.ts';
import { intersect, lengthAutomaton, TooComplex, type Automaton } from './automaton.ts';
import type { Branches, Conjunction } from './branches.ts';
import { memberSchemas, declaredNames, requiredNames } from './members.ts';
import { countsOf } from './counts.ts';
import { numberConstraints } from './number-constraints.ts';
import type { Located } from './schema.ts';
import { stringLanguage } from './strings.ts';
import { statedTypes, type JsonType } from './types.ts';
import { enumeratedValues } from './values.ts';

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
  const values = enumeratedValues(both, branches);
  if (values) return values.length === 0;
  const types = statedTypes(both);
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
  return min.value > max.value || (min.value === max.value && (min.exclusive || max.exclusive));
}

function languagesExclude(a: Conjunction, b: Conjunction): boolean {
  const [left, right] = [languageOf(a), languageOf(b)];
  if (left === undefined || right === undefined) return false;
  try {
    return intersect(left, right).length === 0;
  } catch (error) {
    if (error instanceof TooComplex) return false;
    throw error;
  }
}

function languageOf(schemas: Conjunction): Automaton | undefined {
  const { automaton, counts } = stringLanguage(schemas);
  const bounded = counts.min > 0 || counts.max !== undefined;
  const short = Math.max(counts.min, counts.max ?? 0) < 500;
  return automaton ?? (bounded && short ? lengthAutomaton(counts.min, counts.max) : undefined);
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
