import { choice, optional, repeat, rule, sequence, text, type Expression } from './expression.ts';
import { ANY_NUMBER } from './number-range.ts';
import { COLON, COMMA } from './punctuation.ts';
import { ANY_CHAR_EXPRESSION } from './strings.ts';

const listed = (open: string, item: Expression, close: string) =>
  sequence(text(open), optional(sequence(item, repeat(sequence(COMMA, item), 0))), text(close));

const STRING = sequence(text('"'), repeat(rule('char'), 0), text('"'));

/** Rules for any JSON at all; a grammar takes those it needs. */
export const JSON_RULES: ReadonlyMap<string, Expression> = new Map([
  ['char', ANY_CHAR_EXPRESSION],
  ['string', STRING],
  ['number', ANY_NUMBER],
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
