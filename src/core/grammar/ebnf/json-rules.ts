import { automatonRules, regularRules } from '../regular/automaton-rules.ts';
import { expressionAutomaton } from '../regular/pattern-automaton.ts';
import { ANY_CHAR_EXPRESSION, ESCAPE_EXPRESSION } from './characters.ts';
import {
  choice,
  oneOf,
  optional,
  repeat,
  rule,
  sequence,
  text,
  type Expression,
  COLON,
  COMMA,
} from './expression.ts';
import { ANY_NUMBER } from '../values/numbers/number-range.ts';
import { RuleMaker } from './rule-maker.ts';

/** Any characters of a JSON string, and the closing quote. */
export const CHARS = rule('chars_0');
/** What follows a backslash in a JSON string. */
export const ESCAPE = rule('escape_0');

/**
 * A comma and the space after it, before the name of a member. All members share this rule: if each had a space of its
 * own, XGrammar would take 0.1 ms for each to find out which of the tokens that begin with a space fit.
 */
export const COMMA_BEFORE_NAME = rule('comma');

const listed = (open: string, comma: Expression, item: Expression, close: string) =>
  sequence(text(open), optional(sequence(item, repeat(sequence(comma, item), 0))), text(close));

let built: ReadonlyMap<string, Expression> | undefined;

/** Rules for any JSON value. They take milliseconds to build, so they are built once. */
export function jsonRules(): ReadonlyMap<string, Expression> {
  built ??= buildRules();
  return built;
}

function buildRules(): ReadonlyMap<string, Expression> {
  const maker = new RuleMaker(1000, () => new RangeError('JSON has too many rules.'));
  const chars = expressionAutomaton(repeat(ANY_CHAR_EXPRESSION, 0));
  automatonRules(chars, 'chars', maker, { char: oneOf, end: text('"') });
  regularRules(ESCAPE_EXPRESSION, 'escape', maker);
  maker.set('number', regularRules(ANY_NUMBER, 'number', maker));
  maker.set(COMMA_BEFORE_NAME.name, { kind: 'followed', item: COMMA, more: text('"'), count: 1 });
  maker.set('string', sequence(text('"'), CHARS));
  maker.set('member', sequence(rule('string'), COLON, rule('value')));
  maker.set('object', listed('{', COMMA_BEFORE_NAME, rule('member'), '}'));
  maker.set('array', listed('[', COMMA, rule('value'), ']'));
  const kinds = ['object', 'array', 'string', 'number'].map(rule);
  maker.set('value', choice(...kinds, ...['true', 'false', 'null'].map(text)));
  return maker.rules;
}
