import { absence, presence } from './dependencies.ts';
import {
  negation,
  derive,
  embed,
  isObject,
  located,
  numberOf,
  stringsOf,
  subschema,
  subschemaList,
  subschemaMap,
  type Checked,
  type Group,
  type Located,
} from './schema.ts';
import { pathTo } from './schema-error.ts';
import { counts, only, type Violation } from './violations.ts';

/** Keywords about objects and arrays. */
export const OBJECT_VIOLATIONS = new Map<string, Violation>([
  ['required', (from) => stringsOf(from, 'required').map((name) => [lacking(from, name)])],
  ['properties', otherMembers],
  ['patternProperties', otherMatches],
  ['additionalProperties', otherAdditions],
  ['propertyNames', otherNames],
  ...counts('object', 'minProperties', 'maxProperties'),
  ['dependencies', (from) => brokenDependencies(from, 'dependencies')],
  ['dependentRequired', (from) => brokenDependencies(from, 'dependentRequired')],
  ['dependentSchemas', (from) => brokenDependencies(from, 'dependentSchemas')],
  ['prefixItems', (from) => otherPrefix(from, 'prefixItems')],
  ['items', otherItems],
  [
    'additionalItems',
    (from) => (Array.isArray(from.schema['items']) ? otherRest(from, 'additionalItems') : []),
  ],
  ...counts('array', 'minItems', 'maxItems'),
  ['contains', lackingItem],
  ['uniqueItems', (from) => (from.schema['uniqueItems'] === true ? 'unknown' : [])],
]);

/** An object without this member. */
function lacking(from: Located, name: string): Located {
  return derive(from, `without ${name}`, { type: 'object', properties: { [name]: false } });
}

function otherMembers(from: Checked): Group {
  return [...subschemaMap(from, 'properties')]
    .filter(([, schema]) => schema.schema !== true)
    .map(([name, schema]) => [
      derive(from, `other ${name}`, {
        type: 'object',
        required: [name],
        properties: { [name]: embed(negation(schema)) },
      }),
    ]);
}

function otherMatches(from: Checked): Group {
  return [...subschemaMap(from, 'patternProperties')]
    .filter(([, schema]) => schema.schema !== true)
    .flatMap(([pattern, schema]) => {
      const name = derive(schema, 'name', { type: 'string', pattern });
      const someMember = { name, value: negation(schema) };
      return only(from, `patternProperties ${pattern}`, { type: 'object' }, { someMember });
    });
}

function otherAdditions(from: Checked): Group {
  const schema = subschema(from, 'additionalProperties');
  if (!schema || schema.schema === true) return [];
  const names = [...subschemaMap(from, 'properties').keys()];
  const patterns = [...subschemaMap(from, 'patternProperties').keys()];
  const name = derive(schema, 'name', {
    type: 'string',
    allOf: [
      embed(derive(schema, 'undeclared', {}, { excluded: names })),
      ...patterns.map((pattern) =>
        embed(negation(derive(schema, `name like ${pattern}`, { pattern }))),
      ),
    ],
  });
  const someMember = { name, value: negation(schema) };
  return only(from, 'additionalProperties', { type: 'object' }, { someMember });
}

function otherNames(from: Checked): Group {
  const schema = subschema(from, 'propertyNames');
  if (!schema || schema.schema === true) return [];
  const name = derive(schema, 'other name', { type: 'string', not: embed(schema) });
  const value: Located = { schema: true, path: `${from.path} any` };
  return only(from, 'propertyNames', { type: 'object' }, { someMember: { name, value } });
}

function brokenDependencies(from: Checked, keyword: string): Group {
  const value = from.schema[keyword];
  return Object.entries(isObject(value) ? value : {}).flatMap(([name, asked]) => {
    const origin: Located = { schema: true, path: pathTo(from.path, keyword, name) };
    const present = presence(origin, name);
    if (!Array.isArray(asked)) return [[present, negation(located(asked, origin.path))]];
    return asked.map((required) => [present, absence(origin, String(required))]);
  });
}

function otherPrefix(from: Checked, keyword: string): Group {
  return subschemaList(from, keyword).map((schema, index) => [
    derive(from, `other element ${index}`, {
      type: 'array',
      minItems: index + 1,
      prefixItems: [...Array.from({ length: index }, () => true), embed(negation(schema))],
    }),
  ]);
}

function otherItems(from: Checked): Group {
  return Array.isArray(from.schema['items'])
    ? otherPrefix(from, 'items')
    : otherRest(from, 'items');
}

/** An array with an invalid element after those that have schemas of their own. */
function otherRest(from: Checked, keyword: string): Group {
  const schema = subschema(from, keyword);
  if (!schema || schema.schema === true) return [];
  const prefix = from.schema['items'];
  const position = Array.isArray(prefix) ? prefix : subschemaList(from, 'prefixItems');
  const someElement = { from: position.length, value: negation(schema) };
  return only(from, keyword, { type: 'array' }, { someElement });
}

function lackingItem(from: Checked): Group | 'unknown' {
  const schema = subschema(from, 'contains');
  const [min, max] = [numberOf(from, 'minContains') ?? 1, numberOf(from, 'maxContains')];
  if (!schema || (min === 0 && max === undefined)) return [];
  if (min > 1 || max !== undefined) return 'unknown';
  return only(from, 'contains', { type: 'array', items: embed(negation(schema)) });
}
