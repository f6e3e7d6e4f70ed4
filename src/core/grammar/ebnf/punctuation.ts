import { optional, sequence, text, type Expression } from './expression.ts';

/**
 * After a comma or a colon there is one space or none, as in the two usual ways to write compact JSON. If
 * more were allowed, a weak model would write white space for ever.
 */
export const COMMA: Expression = sequence(text(','), optional(text(' ')));
export const COLON: Expression = sequence(text(':'), optional(text(' ')));
