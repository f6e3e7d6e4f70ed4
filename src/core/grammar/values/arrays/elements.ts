import { COMMA, type Expression } from '../../ebnf/expression.ts';
import type { RuleMaker } from '../../ebnf/rule-maker.ts';
import { jsonText } from '../../schema/canonical.ts';
import {
  located,
  numberOf,
  subschema,
  subschemaList,
  type Checked,
  type Conjunction,
  type Located,
} from '../../schema/schema.ts';
import { pathTo } from '../../schema/schema-error.ts';

/** How an array is written. */
export interface ArrayForm {
  open: string;
  close: string;
  /** Separates two elements. */
  comma: Expression;
  /** Exactly this value, as an element. */
  listed: (value: unknown) => string;
}

export const JSON_ARRAY: ArrayForm = { open: '[', close: ']', comma: COMMA, listed: jsonText };

/** What the expression of an array needs from the compiler. */
export interface ArrayTools {
  maker: RuleMaker;
  form: ArrayForm;
  /** A value that satisfies all these schemas. */
  value: (schemas: Located[]) => Expression;
  /** All values that satisfy schemas, without duplicates; undefined if there is no list of them. */
  enumerate: (schemas: Located[]) => unknown[] | undefined;
}

/** The schemas that the element at an index must satisfy. */
export function elementSchemas(schemas: Conjunction, index: number): Located[] {
  return schemas.flatMap((schema) => {
    const prefix = prefixOf(schema);
    const rest = Array.isArray(schema.schema['items']) ? 'additionalItems' : 'items';
    const found = prefix[index] ?? subschema(schema, rest);
    return found ? [found] : [];
  });
}

function prefixOf(schema: Checked): Located[] {
  const { items } = schema.schema;
  if (!Array.isArray(items)) return subschemaList(schema, 'prefixItems');
  return items.map((item: unknown, index) => located(item, pathTo(schema.path, 'items', index)));
}

/** How many elements at the start have schemas of their own. */
export function prefixLength(schemas: Conjunction): number {
  return Math.max(0, ...schemas.map((schema) => prefixOf(schema).length));
}

/** Some elements of an array must satisfy a schema. */
export interface ElementDemand {
  schema: Located;
  /** How many at least, and at most. */
  min: number;
  max: number | undefined;
  /** The first index that counts. */
  from: number;
}

/** The demands of `contains`, and of schemas that must not hold, on some elements. */
export function elementDemands(schemas: Conjunction): ElementDemand[] {
  return schemas.flatMap((checked) => {
    const contained = subschema(checked, 'contains');
    const min = numberOf(checked, 'minContains') ?? 1;
    const max = numberOf(checked, 'maxContains');
    const some = checked.derived?.someElement;
    return [
      ...(contained ? [{ schema: contained, min, max, from: 0 }] : []),
      ...(some ? [{ schema: some.value, min: 1, max: undefined, from: some.from }] : []),
    ].filter((demand) => demand.min > 0 || demand.max !== undefined);
  });
}

/** Whether no element may equal another. */
export function areUnique(schemas: Conjunction): boolean {
  return schemas.some(({ schema }) => schema['uniqueItems'] === true);
}
