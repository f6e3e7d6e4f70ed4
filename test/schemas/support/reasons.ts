import type { SuiteGroup } from './suite.ts';

/** Why the grammar of a schema is narrower than the schema. docs/generation.md and src/core/grammar explain each. */
export type Reason =
  | 'a value of a type that no keyword is about'
  | 'a format is narrower, and is held in every draft'
  | 'a number with too many digits'
  | 'members in another order'
  | 'a vocabulary that leaves out validation';

/** The types that a keyword is about. */
const ABOUT: Record<string, readonly string[]> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  object: [
    ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'required'],
    ...['minProperties', 'maxProperties'],
  ],
  array: ['items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'contains'],
};

/** @returns undefined if nothing explains why the schema's grammar refuses the value */
export function reasonFor(group: SuiteGroup, value: unknown): Reason | undefined {
  const { schema } = group;
  if (typeof schema === 'boolean') return undefined;
  if (isOfOtherType(schema, value)) return 'a value of a type that no keyword is about';
  if ('format' in schema) return 'a format is narrower, and is held in every draft';
  if (isLong(value)) return 'a number with too many digits';
  if (isObject(value) && isObject(schema['const'])) return 'members in another order';
  if (group.file === 'vocabulary') return 'a vocabulary that leaves out validation';
  return undefined;
}

/** Whether the value, or a member of it that has the same schema, is of a type that no keyword is about. */
function isOfOtherType(schema: Record<string, unknown>, value: unknown): boolean {
  const about = Object.keys(ABOUT).filter((type) => ABOUT[type]?.some((key) => key in schema));
  const isTyped = ['type', 'enum', 'const'].some((key) => key in schema);
  if (isTyped || about.length === 0) return false;
  if (!about.includes(typeOf(value))) return true;
  const { properties } = schema;
  if (!isObject(properties) || !isObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    const below = properties[name];
    return isObject(below) && below['$ref'] === '#' && isOfOtherType(schema, member);
  });
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function isLong(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Math.abs(value) > 1e15);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
