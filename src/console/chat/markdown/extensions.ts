import type { MarkedOptions, TokenizerThis } from 'marked';
import { FOOTNOTE_START, MARK_START, footnote, footnoteMark } from './footnotes.ts';
import { MATH_BLOCK_START, MATH_START, mathTokenizer } from './formula/math-tokens.ts';

/** A longer paragraph has no spans: finding them takes the square of its length; characters. */
export const MOST_SPANNED = 10_000;

/** Where the next match begins, among the characters that a paragraph may have. */
function startOf(pattern: RegExp) {
  return (source: string): number | undefined => {
    const at = source.slice(0, MOST_SPANNED).search(pattern);
    return at < 0 ? undefined : at;
  };
}

function footnoteTokenizer(this: TokenizerThis, source: string) {
  return footnote(source, this.lexer);
}

/** How marked finds formulas and footnotes. */
export const EXTENSIONS: NonNullable<MarkedOptions<never, never>['extensions']> = {
  renderers: {},
  childTokens: {},
  block: [mathTokenizer(true), footnoteTokenizer],
  inline: [mathTokenizer(false), footnoteMark],
  startBlock: [startOf(MATH_BLOCK_START), startOf(FOOTNOTE_START)],
  startInline: [startOf(MATH_START), startOf(MARK_START)],
};
