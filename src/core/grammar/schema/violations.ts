import { formatType } from '../values/strings/formats.ts';
import type { Document } from './document.ts';
import { decimalOf } from '../values/numbers/decimal.ts';
import { TYPES } from './keywords.ts';
import { negation } from './negation.ts';
import {
  decimalUnder,
  derive,
  isObject,
  numberOf,
  stringOf,
  subschema,
  subschemaList,
  type Checked,
  type Demands,
  type Group,
  type JsonObject,
  type Located,
} from './schema.ts';

/** Alternatives for the values that violate a keyword; `unknown` if the grammar cannot describe them. */
export type Violation = (schema: Checked, document: Document) => Group | 'unknown';

/** One alternative: a schema that the compiler makes. */
export function only(from: Checked, name: string, schema: JsonObject, derived?: Demands): Group {
  return [[derive(from, `not ${name}`, schema, derived)]];
}

const unknown: Violation = () => 'unknown';

/** Keywords about values that are neither arrays nor objects, or about all values. */
export const VIOLATIONS = new Map<string, Violation>([
  ['type', otherTypes],
  ['enum', (from) => otherValues(from, 'enum', listOf(from.schema['enum']))],
  ['const', (from) => otherValues(from, 'const', [from.schema['const']])],
  ...bounds('minimum', 'exclusiveMinimum', 'exclusiveMaximum', 'maximum'),
  ...bounds('maximum', 'exclusiveMaximum', 'exclusiveMinimum', 'minimum'),
  [
    'multipleOf',
    (from) =>
      only(
        from,
        'multipleOf',
        { type: 'number' },
        { indivisible: decimalUnder(from, 'multipleOf') ?? decimalOf(1) },
      ),
  ],
  ...counts('string', 'minLength', 'maxLength'),
  ['pattern', otherPattern],
  // The grammar allows only some texts of a format, so it cannot describe the texts that violate the format.
  ['format', (from) => (formatType(stringOf(from, 'format')) ? 'unknown' : [])],
  ['$ref', (from, document) => [[negation(document.resolve(from, stringOf(from, '$ref') ?? ''))]]],
  ['not', (from) => [listed(subschema(from, 'not'))]],
  ['allOf', (from) => subschemaList(from, 'allOf').map((schema) => [negation(schema)])],
  ['anyOf', (from) => [subschemaList(from, 'anyOf').map(negation)]],
  ['oneOf', noneOrTwo],
  ['if', otherConsequence],
  ['unevaluatedProperties', unknown],
  ['unevaluatedItems', unknown],
]);

/** The keywords of a smallest and a largest count, e.g. `minItems` and `maxItems`. */
export function counts(type: string, minimum: string, maximum: string): [string, Violation][] {
  const fewer: Violation = (from) => {
    const min = numberOf(from, minimum) ?? 0;
    return min > 0 ? only(from, minimum, { type, [maximum]: min - 1 }) : [];
  };
  const more: Violation = (from) =>
    only(from, maximum, { type, [minimum]: (numberOf(from, maximum) ?? 0) + 1 });
  return [
    [minimum, fewer],
    [maximum, more],
  ];
}

function bounds(
  inclusive: string,
  exclusive: string,
  beyond: string,
  beyondOrEqual: string,
): [string, Violation][] {
  return [
    [
      inclusive,
      (from) => only(from, inclusive, { type: 'number', [beyond]: from.schema[inclusive] }),
    ],
    [
      exclusive,
      (from) => {
        const stated = from.schema[exclusive];
        // In draft 4, this keyword says whether the bound of the other is excluded.
        const bound = typeof stated === 'boolean' ? from.schema[inclusive] : stated;
        if (stated === false || bound === undefined) return [];
        return only(from, exclusive, { type: 'number', [beyondOrEqual]: bound });
      },
    ],
  ];
}

function otherTypes(from: Checked): Group {
  const names: unknown[] = listOf(from.schema['type']);
  const others = TYPES.filter((type) => !names.includes(type));
  const isInteger = names.includes('integer') && !names.includes('number');
  const rest = others.filter((type) => type !== 'number' && type !== 'integer');
  const kept = isInteger || names.includes('number') ? rest : others;
  return [
    ...(kept.length > 0 ? only(from, 'type', { type: kept }) : []),
    ...(isInteger ? only(from, 'integer', { type: 'number' }, { isFraction: true }) : []),
  ];
}

function otherValues(from: Checked, keyword: string, values: unknown[]): Group {
  const isContainer = (value: unknown) => value instanceof Object;
  const scalars = values.filter((value) => !isContainer(value));
  const containers = values.filter(isContainer);
  return [
    [
      derive(from, `not ${keyword}`, {}, { excluded: scalars }),
      ...containers.map((value, index) =>
        negation(derive(from, `${keyword} ${index}`, equalTo(value))),
      ),
    ],
  ];
}

/** A schema under which exactly this array or object is valid. */
function equalTo(value: unknown): JsonObject {
  if (Array.isArray(value)) {
    const prefixItems = value.map((item: unknown) => ({ const: item }));
    return { type: 'array', minItems: value.length, maxItems: value.length, prefixItems };
  }
  const entries = Object.entries(isObject(value) ? value : {});
  const properties = Object.fromEntries(entries.map(([name, item]) => [name, { const: item }]));
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A pattern that matches nowhere in the text. */
function otherPattern(from: Checked): Group {
  const pattern = `^(?![^]*(?:${stringOf(from, 'pattern')}))`;
  return only(from, 'pattern', { type: 'string', pattern });
}

function noneOrTwo(from: Checked): Group {
  const schemas = subschemaList(from, 'oneOf');
  const pairs = schemas.flatMap((one, index) =>
    schemas.slice(index + 1).map((other) => [one, other]),
  );
  return [schemas.map(negation), ...pairs];
}

function otherConsequence(from: Checked): Group {
  const [asked, then, otherwise] = ['if', 'then', 'else'].map((name) => subschema(from, name));
  if (!asked) return [];
  return [
    ...(then ? [[asked, negation(then)]] : []),
    ...(otherwise ? [[negation(asked), negation(otherwise)]] : []),
  ];
}

function listed(schema: Located | undefined): Located[] {
  return schema ? [schema] : [];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
