import { regularExpression } from '../regular/pattern.ts';
import { isNumber } from '../values/numbers/decimal.ts';
import { isObject, type Checked, type JsonObject, type Located } from './schema.ts';
import { pathTo, SchemaError } from './schema-error.ts';

export const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;

interface Shape {
  test: (value: unknown) => boolean;
  /** How an error message ends for a value that fails the test. */
  must: string;
}

const isArray = (value: unknown) => Array.isArray(value);
const isString = (value: unknown) => typeof value === 'string';
const isStrings = (value: unknown) => Array.isArray(value) && value.every(isString);
/** A number that a double holds. JSON can write larger ones, which become infinite. */
const isHeld = (value: unknown) => isNumber(value) && Math.abs(Number(value)) < Infinity;
/** A value to compare with: none of its numbers is infinite. */
const isComparable = (value: unknown): boolean =>
  value instanceof Object
    ? Object.values(value).every(isComparable)
    : !isNumber(value) || isHeld(value);
const isType = (value: unknown) => TYPES.some((type) => type === value);
const isSchema = (value: unknown) => typeof value === 'boolean' || isObject(value);

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    regularExpression(value);
    return true;
  } catch {
    return false;
  }
}

const COUNT: Shape = {
  test: (value) =>
    (typeof value === 'bigint' || Number.isInteger(value)) && isHeld(value) && Number(value) >= 0,
  must: 'must be a non-negative integer.',
};
const NUMBER: Shape = { test: isHeld, must: 'must be a number that a double can hold.' };
/** In draft 4, `true` means that the bound of `minimum` or `maximum` is excluded. */
const EXCLUSIVE: Shape = {
  test: (value) => isHeld(value) || typeof value === 'boolean',
  must: NUMBER.must,
};
const STRING: Shape = { test: isString, must: 'must be a string.' };
const STRINGS: Shape = { test: isStrings, must: 'must be an array of strings.' };
// An embedded schema is located already, so only its place is checked.
const SCHEMA: Shape = {
  test: (value) => typeof value === 'boolean' || (value instanceof Object && !isArray(value)),
  must: 'must be a JSON Schema: an object or a boolean.',
};
const SCHEMAS: Shape = {
  test: (value) => Array.isArray(value) && value.length > 0,
  must: 'must be a non-empty array of JSON Schemas.',
};
const SCHEMA_MAP: Shape = { test: isObject, must: 'must be an object of JSON Schemas.' };

/** Keywords that are enforced, and the values that each can have. */
const ENFORCED = new Map<string, Shape>(
  Object.entries({
    type: {
      test: (value) =>
        isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
      must: `must be one of ${TYPES.join(', ')}, or an array of them.`,
    },
    enum: {
      test: (value) => Array.isArray(value) && value.length > 0 && isComparable(value),
      must: 'must be a non-empty array of values whose numbers a double can hold.',
    },
    const: { test: isComparable, must: 'must be a value whose numbers a double can hold.' },
    properties: SCHEMA_MAP,
    patternProperties: {
      test: (value) => isObject(value) && Object.keys(value).every(isPattern),
      must: 'must be an object of JSON Schemas whose names are regular expressions.',
    },
    required: STRINGS,
    additionalProperties: SCHEMA,
    propertyNames: SCHEMA,
    minProperties: COUNT,
    maxProperties: COUNT,
    dependencies: {
      test: (value) =>
        isObject(value) && Object.values(value).every((item) => isSchema(item) || isStrings(item)),
      must: 'must be an object of JSON Schemas or arrays of names.',
    },
    dependentSchemas: SCHEMA_MAP,
    dependentRequired: {
      test: (value) => isObject(value) && Object.values(value).every(isStrings),
      must: 'must be an object of arrays of names.',
    },
    prefixItems: { test: isArray, must: 'must be an array of JSON Schemas.' },
    // In drafts before 2020-12, an array here means prefixItems.
    items: { test: (value) => SCHEMA.test(value) || isArray(value), must: SCHEMA.must },
    additionalItems: SCHEMA,
    minItems: COUNT,
    maxItems: COUNT,
    contains: SCHEMA,
    minContains: COUNT,
    maxContains: COUNT,
    uniqueItems: { test: (value) => typeof value === 'boolean', must: 'must be a boolean.' },
    minLength: COUNT,
    maxLength: COUNT,
    pattern: { test: isPattern, must: 'must be a regular expression.' },
    format: STRING,
    minimum: NUMBER,
    maximum: NUMBER,
    exclusiveMinimum: EXCLUSIVE,
    exclusiveMaximum: EXCLUSIVE,
    multipleOf: {
      test: (value) => isHeld(value) && Number(value) > 0,
      must: 'must be a number greater than 0.',
    },
    anyOf: SCHEMAS,
    oneOf: SCHEMAS,
    allOf: SCHEMAS,
    not: SCHEMA,
    if: SCHEMA,
    then: SCHEMA,
    else: SCHEMA,
    $ref: STRING,
    $defs: SCHEMA_MAP,
    definitions: SCHEMA_MAP,
  }),
);

/** Keywords that constrain a value in a way that the grammar cannot enforce. */
const REFUSED = ['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'];

/** Schemas that have passed the check. */
const passed = new WeakSet<JsonObject>();

/**
 * Checks the keywords of one schema, but not of its subschemas. An unknown keyword is an annotation, as
 * JSON Schema says.
 *
 * @throws SchemaError for a keyword that has a wrong value or cannot be enforced
 */
export function checkKeywords(given: Located & { schema: JsonObject }): Checked {
  const { schema, path } = given;
  if (passed.has(schema)) return given;
  for (const [keyword, value] of Object.entries(schema)) {
    if (REFUSED.includes(keyword))
      throw new SchemaError(pathTo(path, keyword), 'is not supported.');
    const shape = ENFORCED.get(keyword);
    if (shape && !shape.test(value)) throw new SchemaError(pathTo(path, keyword), shape.must);
  }
  passed.add(schema);
  return given;
}
