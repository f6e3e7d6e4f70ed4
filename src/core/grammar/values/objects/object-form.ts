import { sequence, text, type Expression } from '../../ebnf/expression.ts';
import { COMMA_BEFORE_NAME } from '../../ebnf/json-rules.ts';
import { COLON, COMMA } from '../../ebnf/punctuation.ts';

/** How an object's members are written. */
export interface ObjectForm {
  open: string;
  close: string;
  /** Separates two members. */
  comma: Expression;
  /** A member's name and the sign between name and value. */
  key(name: string): Expression;
  /** The sign between name and value, after a name that is written as a JSON string. */
  assign: Expression;
}

export const AS_JSON: ObjectForm = {
  open: '{',
  close: '}',
  comma: COMMA_BEFORE_NAME,
  key: (name) => sequence(text(JSON.stringify(name)), COLON),
  assign: COLON,
};

/** Members are written as the keyword arguments of a call: `city="Bern", days=3`. */
export const AS_KEYWORDS: ObjectForm = {
  open: '',
  close: '',
  comma: COMMA,
  key: (name) => text(`${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}=`),
  assign: text('='),
};
