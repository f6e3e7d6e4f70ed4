import { automatonRules, regularRules } from './automaton-rules.ts';
import {
  choice,
  oneOf,
  optional,
  repeat,
  rule,
  sequence,
  text,
  type Expression,
} from './expression.ts';
import { ANY_NUMBER } from './number-range.ts';
import { expressionAutomaton } from './pattern-automaton.ts';
import { COLON, COMMA } from './punctuation.ts';
import { ANY_CHAR_EXPRESSION } from './strings.ts';

const listed = (open: string, item: Expression, close: string) =>
  sequence(text(open), optional(sequence(item, repeat(sequence(COMMA, item), 0))), text(close));

let built: ReadonlyMap<string, Expression> | undefined;

/** Rules for any JSON value. They take milliseconds to build, so they are built once. */
export function jsonRules(): ReadonlyMap<string, Expression> {
  built ??= buildRules();
  return built;
}

function buildRules(): ReadonlyMap<string, Expression> {
  const char = regularRules(ANY_CHAR_EXPRESSION, 'char');
  const rest = automatonRules(expressionAutomaton(repeat(ANY_CHAR_EXPRESSION, 0)), 'chars', {
    char: oneOf,
    end: text('"'),
  });
  const number = regularRules(ANY_NUMBER, 'number');
  return new Map([
    ['char', char.start],
    ...char.rules,
    ['number', number.start],
    ...number.rules,
    ['chars', rest.start],
    ...rest.rules,
    ['string', sequence(text('"'), rule('chars'))],
    ['member', sequence(rule('string'), COLON, rule('value'))],
    ['object', listed('{', rule('member'), '}')],
    ['array', listed('[', rule('value'), ']')],
    [
      'value',
      choice(
        ...['object', 'array', 'string', 'number'].map(rule),
        ...['true', 'false', 'null'].map(text),
      ),
    ],
  ]);
}
