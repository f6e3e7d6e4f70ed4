/** Characters that stand for themselves. */
const CHAR = '[A-Za-z0-9 _\\-!"#%&\',/:;<=>@`~]';
const ESCAPE = '\\\\[dDwWsSnrtfv.*+?^$()[\\]{}|\\\\/]';
const RANGE =
  '(?:a-[b-z]|A-[B-Z]|0-[1-9]|[A-Za-z0-9 _!"#%&\',/:;<=>@.*+?$(){}|]|\\\\[dDwWsSnrtfv.*+?^$()[\\]{}|\\\\/-])';
const CLASS = `\\[\\^?${RANGE}+-?\\]`;
const ATOM = `(?:${CHAR}|${ESCAPE}|${CLASS}|\\.)`;
/** A quantifier, or none. */
const QUANTIFIER = '(?:(?:[*+?]|\\{\\d{1,2},?\\})\\??)?';

/** Alternatives of pieces, with groups that are nested this deep. */
function alternatives(depth: number): string {
  const group = depth > 0 ? `|\\((?:\\?:)?${alternatives(depth - 1)}\\)` : '';
  const piece = `(?:(?:${ATOM}${group})${QUANTIFIER}|[\\^$])`;
  return `${piece}*(?:\\|${piece}*)*`;
}

/** Regular expressions of the kinds that ECMAScript and others share, with groups up to two levels deep. */
export const REGULAR_EXPRESSION = alternatives(2);
