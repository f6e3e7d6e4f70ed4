import type { CharSet } from './char-set.ts';

/** What a rule of a grammar matches. */
export type Expression =
  | { kind: 'text'; text: string }
  | { kind: 'set'; set: CharSet }
  | { kind: 'sequence'; items: readonly Expression[] }
  /** Without items, it matches nothing. */
  | { kind: 'choice'; items: readonly Expression[] }
  | { kind: 'repeat'; item: Expression; min: number; max: number | undefined }
  | { kind: 'rule'; name: string };

/** Rule name → what it matches. */
export type Rules = ReadonlyMap<string, Expression>;

export const NEVER: Expression = { kind: 'choice', items: [] };
export const EMPTY: Expression = { kind: 'text', text: '' };

export function text(value: string): Expression {
  return { kind: 'text', text: value };
}

export function oneOf(set: CharSet): Expression {
  return set.length === 0 ? NEVER : { kind: 'set', set };
}

export function rule(name: string): Expression {
  return { kind: 'rule', name };
}

export function sequence(...parts: Expression[]): Expression {
  const items = parts.flatMap((part) => (part.kind === 'sequence' ? part.items : [part]));
  if (items.some(isNever)) return NEVER;
  const kept = items.filter((item) => item.kind !== 'text' || item.text !== '');
  const [only, ...more] = kept;
  if (!only) return EMPTY;
  return more.length === 0 ? only : { kind: 'sequence', items: kept };
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
