import { type CharSet, ASCII, difference, intersection } from '../regular/char-set.ts';

/** What a rule of a grammar matches. */
export type Expression =
  | { kind: 'text'; text: string }
  | { kind: 'set'; set: CharSet }
  | { kind: 'sequence'; items: readonly Expression[] }
  /** Without items, it matches nothing. */
  | { kind: 'choice'; items: readonly Expression[] }
  | { kind: 'repeat'; item: Expression; min: number; max: number | undefined }
  | { kind: 'rule'; name: string }
  /** After `item`, a token can continue with `more`, up to `count` times. Only allowed as the whole body of a rule. */
  | { kind: 'followed'; item: Expression; more: Expression; count: number }
  /** Any text up to the first place where it has the mark, and the mark. Only allowed as the whole body of a rule. */
  | { kind: 'until'; mark: string };

/** Rule name → what it matches. */
export type Rules = ReadonlyMap<string, Expression>;

export const NEVER: Expression = { kind: 'choice', items: [] };
export const EMPTY: Expression = { kind: 'text', text: '' };

export function text(value: string): Expression {
  return { kind: 'text', text: value };
}

export function oneOf(set: CharSet): Expression {
  const [first, ...more] = set;
  if (!first) return NEVER;
  const isSingle = more.length === 0 && first[0] === first[1];
  return isSingle ? text(String.fromCodePoint(first[0])) : { kind: 'set', set };
}

/** A reference to a rule. */
export type RuleReference = Expression & { kind: 'rule' };

export function rule(name: string): RuleReference {
  return { kind: 'rule', name };
}

export function sequence(...parts: Expression[]): Expression {
  const items = parts.flatMap((part) => (part.kind === 'sequence' ? part.items : [part]));
  if (items.some(isNever)) return NEVER;
  const kept = fused(items);
  const [only, ...more] = kept;
  if (!only) return EMPTY;
  return more.length === 0 ? only : { kind: 'sequence', items: kept };
}

/** Joins texts that follow each other, and leaves out empty ones. */
function fused(items: readonly Expression[]): Expression[] {
  const kept: Expression[] = [];
  for (const item of items) {
    const last = kept.at(-1);
    if (item.kind !== 'text') kept.push(item);
    else if (last?.kind === 'text') kept[kept.length - 1] = text(last.text + item.text);
    else if (item.text !== '') kept.push(item);
  }
  return kept;
}

export function choice(...parts: Expression[]): Expression {
  const items = parts.flatMap((part) => (part.kind === 'choice' ? part.items : [part]));
  const [only, ...more] = items;
  return only && more.length === 0 ? only : { kind: 'choice', items };
}

/** @param max - undefined means unlimited */
export function repeat(item: Expression, min: number, max?: number): Expression {
  if (max !== undefined && max < min) return NEVER;
  if (max === 0) return EMPTY;
  if (isNever(item)) return min === 0 ? EMPTY : NEVER;
  if (min === 1 && max === 1) return item;
  return { kind: 'repeat', item, min, max };
}

export function optional(item: Expression): Expression {
  return repeat(item, 0, 1);
}

export function isNever(expression: Expression): boolean {
  return expression.kind === 'choice' && expression.items.length === 0;
}

/** The names of the rules that an expression refers to. */
export function references(expression: Expression): string[] {
  switch (expression.kind) {
    case 'text':
    case 'set':
    case 'until':
      return [];
    case 'sequence':
    case 'choice':
      return expression.items.flatMap(references);
    case 'repeat':
      return references(expression.item);
    case 'rule':
      return [expression.name];
    case 'followed':
      return [...references(expression.item), ...references(expression.more)];
  }
}

/** The alternatives of an expression as they are printed: a set is split into ASCII and other characters. */
export function alternatives(expression: Expression): readonly Expression[] {
  if (expression.kind === 'choice') return expression.items.flatMap(alternatives);
  if (expression.kind !== 'set') return [expression];
  const { set } = expression;
  const parts = [intersection(set, ASCII), difference(set, ASCII)];
  return parts.filter((part) => part.length > 0).map(oneOf);
}

/**
 * After a comma or a colon there is one space or none, as in the two usual ways to write compact JSON. If
 * more were allowed, a weak model would write white space for ever.
 */
export const COMMA: Expression = sequence(text(','), optional(text(' ')));
export const COLON: Expression = sequence(text(':'), optional(text(' ')));
