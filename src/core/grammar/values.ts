import { acceptsText } from './automaton.ts';
import { elementSchemas } from './arrays.ts';
import type { Branches, Conjunction } from './branches.ts';
import { memberSchemas, requiredNames } from './members.ts';
import { countsOf } from './counts.ts';
import { numberConstraints, type NumberConstraints } from './number-constraints.ts';
import { isObject, type Checked, type JsonObject, type Located } from './schema.ts';
import { invalidSchema } from './schema-error.ts';
import { stringLanguage } from './strings.ts';
import { statedTypes, typeOf } from './types.ts';

/** The grammar of a longer list would be too large to compile. */
const MAX_VALUES = 10_000;

/**
 * The values that `enum` and `const` allow, without those that another keyword forbids; undefined if there
 * is neither `enum` nor `const`.
 */
export function enumeratedValues(schemas: Conjunction, branches: Branches): unknown[] | undefined {
  const lists = schemas.flatMap(listsOf);
  const [first] = lists;
  if (!first) return undefined;
  if (first.length > MAX_VALUES)
    throw invalidSchema(schemas[0]?.path ?? '', 'has too many values.');
  const isListed = inAll(lists);
  return first.filter((value) => isListed(value) && fitsOthers(value, schemas, branches));
}

function listsOf({ schema }: Checked): unknown[][] {
  const list: unknown = schema['enum'];
  const own = Array.isArray(list) ? [list] : [];
  return Object.hasOwn(schema, 'const') ? [...own, [schema['const']]] : own;
}

/** Whether a value is in each of the lists. */
function inAll(lists: unknown[][]): (value: unknown) => boolean {
  const sets = lists.map((list) => new Set(list.map(canonical)));
  return (value) => sets.every((set) => set.has(canonical(value)));
}

/** Whether a value is valid under all of these schemas. */
function fits(value: unknown, schemas: readonly Located[], branches: Branches): boolean {
  return branches.of(schemas).some((branch) => fitsAll(value, branch, branches));
}

function fitsAll(value: unknown, schemas: Conjunction, branches: Branches): boolean {
  return inAll(schemas.flatMap(listsOf))(value) && fitsOthers(value, schemas, branches);
}

/** Whether a value is valid under all keywords but `enum` and `const`. */
function fitsOthers(value: unknown, schemas: Conjunction, branches: Branches): boolean {
  if (!statedTypes(schemas).has(typeOf(value))) return false;
  if (typeof value === 'number') return isInRange(value, numberConstraints(schemas, false));
  if (typeof value === 'string') return isInLanguage(value, schemas);
  if (Array.isArray(value)) return fitsArray(value, schemas, branches);
  return isObject(value) ? fitsObject(value, schemas, branches) : true;
}

/** Whether a number is within the bounds and a multiple of every `multipleOf`. */
export function isInRange(value: number, { min, max, multiples }: NumberConstraints): boolean {
  if (min && (min.exclusive ? value <= min.value : value < min.value)) return false;
  if (max && (max.exclusive ? value >= max.value : value > max.value)) return false;
  return multiples.every(({ of }) => Number.isInteger(value / of));
}

function isInLanguage(value: string, schemas: Conjunction): boolean {
  const { counts, automaton } = stringLanguage(schemas);
  const length = Array.from(value).length;
  if (length < counts.min || length > (counts.max ?? length)) return false;
  return automaton ? acceptsText(automaton, value) : true;
}

function fitsArray(value: unknown[], schemas: Conjunction, branches: Branches): boolean {
  const { min, max } = countsOf(schemas, 'minItems', 'maxItems');
  if (value.length < min || value.length > (max ?? value.length)) return false;
  return value.every((item, index) => fits(item, elementSchemas(schemas, index), branches));
}

function fitsObject(value: JsonObject, schemas: Conjunction, branches: Branches): boolean {
  const { min, max } = countsOf(schemas, 'minProperties', 'maxProperties');
  const names = Object.keys(value);
  if (names.length < min || names.length > (max ?? names.length)) return false;
  if ([...requiredNames(schemas)].some((name) => !Object.hasOwn(value, name))) return false;
  return names.every((name) => fits(value[name], memberSchemas(schemas, name), branches));
}

/** The same text for values that JSON Schema calls equal: the order of members does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
