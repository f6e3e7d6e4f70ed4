import { ASCII, difference, intersection } from '../regular/char-set.ts';
import { oneOf, type Expression } from './expression.ts';

/** The alternatives of an expression as they are printed: a set is split into ASCII and other characters. */
export function alternatives(expression: Expression): readonly Expression[] {
  if (expression.kind === 'choice') return expression.items.flatMap(alternatives);
  if (expression.kind !== 'set') return [expression];
  const { set } = expression;
  const parts = [intersection(set, ASCII), difference(set, ASCII)];
  return parts.filter((part) => part.length > 0).map(oneOf);
}
