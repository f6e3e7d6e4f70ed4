import {
  charsOf,
  difference,
  intersection,
  negation,
  union,
  type CharSet,
} from '../regular/char-set.ts';
import { choice, oneOf, sequence, text, type Expression } from './expression.ts';

/** Characters that must be escaped in a JSON string. */
const ESCAPED: CharSet = union([[0, 0x1f]], charsOf('"\\'));
/** Characters that a JSON string can have unescaped. */
export const PLAIN: CharSet = negation(ESCAPED);

const HEX = oneOf(charsOf('0123456789abcdefABCDEF'));
const NOT_D = oneOf(charsOf('0123456789abcefABCEF'));

/** What follows a backslash in a JSON string. */
export const ESCAPE_EXPRESSION: Expression = choice(
  oneOf(charsOf('"\\/bfnrt')),
  sequence(text('u'), NOT_D, HEX, HEX, HEX),
  sequence(text('u'), oneOf(charsOf('dD')), oneOf(charsOf('01234567')), HEX, HEX),
  sequence(
    ...[text('u'), oneOf(charsOf('dD')), oneOf(charsOf('89abAB')), HEX, HEX],
    ...[text('\\u'), oneOf(charsOf('dD')), oneOf(charsOf('cdefCDEF')), HEX, HEX],
  ),
);

/** One character of a JSON string, in any way that JSON can write it. */
export const ANY_CHAR_EXPRESSION: Expression = choice(
  oneOf(PLAIN),
  sequence(text('\\'), ESCAPE_EXPRESSION),
);

/** Any character of the set in a JSON string: escaped only if it must be. */
export function jsonChar(set: CharSet): Expression {
  const escapes = intersection(set, ESCAPED);
  const plain = oneOf(difference(set, ESCAPED));
  if (escapes.length === 0) return plain;
  return choice(plain, sequence(text('\\'), escapesOf(escapes)));
}

/** What follows the backslash for these characters. */
function escapesOf(escapes: CharSet): Expression {
  const written = escapes.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) =>
      JSON.stringify(String.fromCodePoint(from + index)).slice(2, -1),
    ),
  );
  const short = written.filter((one) => one.length === 1);
  const long = (start: string) =>
    written.filter((one) => one.startsWith(start)).map((one) => one.slice(start.length));
  return choice(
    oneOf(charsOf(short.join(''))),
    ...['u000', 'u001'].map((start) => sequence(text(start), oneOf(charsOf(long(start).join(''))))),
  );
}
