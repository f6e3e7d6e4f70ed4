import { optional, sequence, text, type Expression } from './expression.ts';

/**
 * White space is one space after a comma and a colon, or none, as the two usual ways to write compact
 * JSON have it: with more, a weak model writes white space for ever.
 */
export const COMMA: Expression = sequence(text(','), optional(text(' ')));
export const COLON: Expression = sequence(text(':'), optional(text(' ')));
