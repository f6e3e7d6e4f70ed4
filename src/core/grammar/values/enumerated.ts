import { acceptsText } from '../regular/automaton.ts';
import type { Branches } from '../schema/branches.ts';
import { canonical, listedValues, valueLists } from '../schema/canonical.ts';
import {
  isObject,
  subschema,
  type Conjunction,
  type JsonObject,
  type Located,
  countsOf,
  type Counts,
} from '../schema/schema.ts';
import { SchemaError } from '../schema/schema-error.ts';
import { statedTypes, typeOf } from '../schema/types.ts';
import { compare, decimalOf, isMultiple, isNumber, type Decimal } from './numbers/decimal.ts';
import { areUnique, elementDemands, elementSchemas } from './arrays/elements.ts';
import { memberSchemas, requiredNames } from './objects/members.ts';
import { numberConstraints } from './numbers/number-constraints.ts';
import { stringLanguage, type Reading } from './strings/string-language.ts';

/** The grammar of a longer list would be too large to compile. */
const MAX_VALUES = 10_000;

/**
 * The values that `enum` and `const` allow, without those that another keyword forbids; undefined if there
 * is neither `enum` nor `const`.
 */
export function enumeratedValues(
  schemas: Conjunction,
  branches: Branches,
  reading: Reading = 'written',
): unknown[] | undefined {
  const [first] = schemas.flatMap(({ schema }) => valueLists(schema));
  if (!first) return undefined;
  if (first.length > MAX_VALUES) {
    throw new SchemaError(schemas[0]?.path ?? '', 'has too many values.');
  }
  const check = new ValueCheck(schemas, branches, reading);
  const distinct = new Map(first.map((value) => [canonical(value), value]));
  return [...distinct.values()].filter((value) => check.allows(value));
}

/** All values that are valid under all these schemas, without duplicates; undefined if there is no list. */
export function finiteValues(
  schemas: readonly Located[],
  branches: Branches,
): unknown[] | undefined {
  const lists = branches.of(schemas).map((branch) => finiteOf(branch, branches));
  if (lists.some((list) => list === undefined)) return undefined;
  const values = lists.flatMap((list) => list ?? []);
  return [...new Map(values.map((value) => [canonical(value), value])).values()];
}

function finiteOf(branch: Conjunction, branches: Branches): unknown[] | undefined {
  const listed = enumeratedValues(branch, branches);
  if (listed) return listed;
  const types = [...statedTypes(branch)];
  if (!types.every((type) => type === 'boolean' || type === 'null')) return undefined;
  const check = new ValueCheck(branch, branches);
  return [true, false, null].filter((value) => check.allows(value));
}

/** Whether a value is valid under all of these schemas. */
function fits(
  value: unknown,
  schemas: readonly Located[],
  branches: Branches,
  reading: Reading,
): boolean {
  return branches
    .of(schemas)
    .some((branch) => new ValueCheck(branch, branches, reading).allows(value));
}

/** Which values schemas allow. */
class ValueCheck {
  readonly #schemas: Conjunction;
  readonly #branches: Branches;
  readonly #excluded: readonly string[];
  readonly #reading: Reading;
  #texts: ((value: string) => boolean) | undefined;

  constructor(schemas: Conjunction, branches: Branches, reading: Reading = 'written') {
    this.#schemas = schemas;
    this.#reading = reading;
    this.#branches = branches;
    this.#excluded = schemas.flatMap(({ derived }) => derived?.excluded ?? []).map(canonical);
  }

  allows(value: unknown): boolean {
    const name = canonical(value);
    if (this.#excluded.includes(name)) return false;
    const lists = this.#schemas.flatMap(({ schema }) => listedValues(schema));
    if (!lists.every((list) => list.has(name))) return false;
    if (!statedTypes(this.#schemas).has(typeOf(value))) return false;
    if (isNumber(value)) return this.#allowsNumber(decimalOf(value));
    if (typeof value === 'string') return this.#allowsText(value);
    if (Array.isArray(value)) return this.#allowsArray(value);
    return isObject(value) ? this.#allowsObject(value) : true;
  }

  #allowsNumber(value: Decimal): boolean {
    const constraints = numberConstraints(this.#schemas, false);
    const { min, max, multiples, indivisible, isFraction } = constraints;
    if (min && compare(value, min.value) < Number(min.exclusive)) return false;
    if (max && compare(max.value, value) < Number(max.exclusive)) return false;
    if (isFraction && value.places === 0) return false;
    if (indivisible.some((of) => isMultiple(value, of))) return false;
    return multiples.every((of) => isMultiple(value, of));
  }

  #allowsText(value: string): boolean {
    this.#texts ??= textCheck(this.#schemas, this.#reading);
    return this.#texts(value);
  }

  #allowsArray(value: unknown[]): boolean {
    const [schemas, branches, reading] = [this.#schemas, this.#branches, this.#reading];
    if (!isWithin(value.length, countsOf(schemas, 'minItems', 'maxItems'))) return false;
    if (areUnique(schemas) && new Set(value.map(canonical)).size < value.length) return false;
    const isEnough = elementDemands(schemas).every(({ schema, min, max, from }) => {
      const found = value.slice(from).filter((item) => fits(item, [schema], branches, reading));
      return isWithin(found.length, { min, max });
    });
    if (!isEnough) return false;
    return value.every((item, index) =>
      fits(item, elementSchemas(schemas, index), branches, reading),
    );
  }

  #allowsObject(value: JsonObject): boolean {
    const [schemas, branches, reading] = [this.#schemas, this.#branches, this.#reading];
    const names = Object.keys(value);
    if (!isWithin(names.length, countsOf(schemas, 'minProperties', 'maxProperties'))) return false;
    if ([...requiredNames(schemas)].some((name) => !Object.hasOwn(value, name))) return false;
    const rules = schemas.flatMap((schema) => subschema(schema, 'propertyNames') ?? []);
    if (rules.length > 0 && !names.every((name) => fits(name, rules, branches, reading)))
      return false;
    const isEnough = schemas
      .flatMap(({ derived }) => derived?.someMember ?? [])
      .every((wanted) =>
        names.some(
          (name) =>
            fits(name, [wanted.name], branches, reading) &&
            fits(value[name], [wanted.value], branches, reading),
        ),
      );
    if (!isEnough) return false;
    return names.every((name) =>
      fits(value[name], memberSchemas(schemas, name), branches, reading),
    );
  }
}

/** Returns a function that tells whether the schemas allow a text: its length, and the text itself. */
function textCheck(schemas: Conjunction, reading: Reading): (value: string) => boolean {
  const counts = countsOf(schemas, 'minLength', 'maxLength');
  const automaton = stringLanguage(schemas, reading);
  return (value) =>
    isWithin(Array.from(value).length, counts) && (!automaton || acceptsText(automaton, value));
}

function isWithin(count: number, { min, max }: Counts): boolean {
  return count >= min && count <= (max ?? count);
}
