import type { Conjunction } from './branches.ts';
import {
  choice,
  EMPTY,
  NEVER,
  optional,
  repeat,
  sequence,
  text,
  type Expression,
} from './expression.ts';
import { COMMA } from './punctuation.ts';
import { limitedCounts } from './counts.ts';
import { located, subschema, subschemaList, type Checked, type Located } from './schema.ts';
import { pathTo } from './schema-error.ts';

const MAX_COUNT = 1000;

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

/** @param value - makes the expression for a value that satisfies all these schemas */
export function arrayExpression(
  schemas: Conjunction,
  value: (schemas: Located[]) => Expression,
): Expression {
  const { min, max } = limitedCounts(schemas, 'minItems', 'maxItems', MAX_COUNT);
  const length = prefixLength(schemas);
  const rest = () => value(elementSchemas(schemas, length));
  /** What follows the first `index` elements. */
  const tail = (index: number): Expression => {
    if (max !== undefined && index >= max) return min > max ? NEVER : EMPTY;
    if (index === length && index > 0) {
      return repeat(sequence(COMMA, rest()), Math.max(0, min - index), max && max - index);
    }
    const element = index < length ? value(elementSchemas(schemas, index)) : rest();
    const following = index < length ? tail(index + 1) : moreOf(element, min, max);
    const present = sequence(index > 0 ? COMMA : EMPTY, element, following);
    return index < min ? present : optional(present);
  };
  return choice(sequence(text('['), tail(0), text(']')));
}

/** What follows the first of several elements with the same schemas. */
function moreOf(element: Expression, min: number, max: number | undefined): Expression {
  return repeat(sequence(COMMA, element), Math.max(0, min - 1), max && max - 1);
}
