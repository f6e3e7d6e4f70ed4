import { sequence, text, type Expression, COLON } from '../../ebnf/expression.ts';
import { COMMA_BEFORE_NAME } from '../../ebnf/json-rules.ts';
import type { RuleMaker } from '../../ebnf/rule-maker.ts';
import type { Automaton } from '../../regular/state.ts';
import { automatonString } from '../strings/strings.ts';

/** How an object's members are written. */
export interface ObjectForm {
  open: string;
  close: string;
  /** Separates two members. */
  comma: Expression;
  /** A member's name and the sign between name and value. */
  key(name: string): Expression;
  /** Any of these names, and the sign between name and value. */
  otherKey(names: Automaton, maker: RuleMaker): Expression;
}

export const AS_JSON: ObjectForm = {
  open: '{',
  close: '}',
  comma: COMMA_BEFORE_NAME,
  key: (name) => sequence(text(JSON.stringify(name)), COLON),
  otherKey: (names, maker) => sequence(automatonString(names, maker), COLON),
};
