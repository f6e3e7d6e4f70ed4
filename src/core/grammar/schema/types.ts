import { TYPES } from './keywords.ts';
import { formatType } from '../values/strings/formats.ts';
import { isObject, stringOf, type Checked, type Conjunction } from './schema.ts';

export type JsonType = (typeof TYPES)[number];

/** Keyword → the type that it constrains. */
const KEYWORD_TYPES = new Map<string, JsonType>([
  ...from('object', ['properties', 'patternProperties', 'required', 'additionalProperties']),
  ...from('object', ['propertyNames', 'minProperties', 'maxProperties']),
  ...from('array', ['prefixItems', 'items', 'additionalItems', 'minItems', 'maxItems']),
  ...from('array', ['contains', 'uniqueItems']),
  ...from('string', ['minLength', 'maxLength', 'pattern']),
  ...from('number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
]);

function from(type: JsonType, keywords: string[]): [keyword: string, type: JsonType][] {
  return keywords.map((keyword) => [keyword, type]);
}

/** Whether a keyword itself constrains values, rather than combining schemas or describing values. */
export function isConstraint(keyword: string): boolean {
  return KEYWORD_TYPES.has(keyword) || ['type', 'enum', 'const', 'format'].includes(keyword);
}

/**
 * The types that a value may have; `number` always comes with `integer`. If no schema has `type`, the
 * types follow from the keywords: `maxLength` means a string.
 */
export function typesOf(schemas: Conjunction): Set<JsonType> {
  const stated = statedTypes(schemas);
  if (stated.size < TYPES.length) return stated;
  // The compiler's own schemas come from schemas that must not hold, so their keywords do not imply types.
  const written = schemas.filter(({ derived }) => !derived);
  const implied = withIntegers(written.flatMap(impliedTypes));
  return implied.size > 0 ? implied : stated;
}

function impliedTypes(checked: Checked): JsonType[] {
  const types = Object.keys(checked.schema).flatMap((keyword) => KEYWORD_TYPES.get(keyword) ?? []);
  const ofFormat = formatType(stringOf(checked, 'format'));
  return ofFormat ? [...types, ofFormat] : types;
}

/** The types that `type` allows; all types if no schema has `type`. */
export function statedTypes(schemas: Conjunction): Set<JsonType> {
  const named = schemas.flatMap(namedTypes);
  return new Set(TYPES.filter((type) => named.every((set) => set.has(type))));
}

function namedTypes({ schema }: Checked): Set<JsonType>[] {
  const value = schema['type'];
  if (value === undefined) return [];
  const names: unknown[] = Array.isArray(value) ? value : [value];
  return [withIntegers(TYPES.filter((type) => names.includes(type)))];
}

function withIntegers(types: JsonType[]): Set<JsonType> {
  return new Set(types.includes('number') ? [...types, 'integer' as const] : types);
}

/** The type of a value; a number without a fraction is an integer. */
export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}
