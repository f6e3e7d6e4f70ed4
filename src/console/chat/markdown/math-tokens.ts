import type { MarkedOptions, Token, Tokens } from 'marked';

/** A formula in TeX. */
export interface MathToken extends Tokens.Generic {
  type: 'math';
  text: string;
  /** Whether it stands on a line of its own. */
  isBlock: boolean;
}

export function isMath(token: Token): token is MathToken {
  return token.type === 'math';
}

/** A longer paragraph has no spans: finding them takes the square of its length; characters. */
export const MOST_SPANNED = 10_000;

/** A longer text between two marks is no formula; characters. */
const LONGEST = 2_000;

/** `$$…$$` and `\[…\]` on lines of their own. */
const BLOCK = [
  /^ {0,3}\$\$([^$]+)\$\$[ \t]*(?:\n|$)/,
  /^ {0,3}\\\[((?:[^\\]|\\[^\]])+)\\\][ \t]*(?:\n|$)/,
];

/**
 * Formulas in a line: the same marks, `\(…\)`, and `$…$`. Between single dollars no space may be at the ends, and no
 * figure may follow, as in Pandoc: most dollars are prices.
 */
const INLINE = [
  /^\$\$([^$\n]+)\$\$/,
  /^\\\[((?:[^\\\n]|\\[^\]\n])+)\\\]/,
  /^\\\(((?:[^\\\n]|\\[^)\n])+)\\\)/,
  /^\$((?![\s$])(?:[^$\\\n]|\\[^\n])*?(?<!\s))\$(?!\d)/,
];

function firstMatch(patterns: readonly RegExp[], source: string): RegExpExecArray | undefined {
  // The patterns look at no more than a formula may have.
  const beginning = source.slice(0, LONGEST);
  for (const pattern of patterns) {
    const found = pattern.exec(beginning);
    if (found) return found;
  }
  return undefined;
}

function tokenized(isBlock: boolean, patterns: readonly RegExp[]) {
  return (source: string): MathToken | undefined => {
    const [raw, text] = firstMatch(patterns, source) ?? [];
    if (raw === undefined || text === undefined || text.trim() === '') return undefined;
    return { type: 'math', raw, text: text.trim(), isBlock };
  };
}

/** Where the next match begins, among the characters that a paragraph may have. */
function startOf(pattern: RegExp) {
  return (source: string): number | undefined => {
    const at = source.slice(0, MOST_SPANNED).search(pattern);
    return at < 0 ? undefined : at;
  };
}

/** How marked finds formulas. */
export const MATH: NonNullable<MarkedOptions<never, never>['extensions']> = {
  renderers: {},
  childTokens: {},
  block: [tokenized(true, BLOCK)],
  inline: [tokenized(false, INLINE)],
  startBlock: [startOf(/\n {0,3}(?:\$\$|\\\[)/)],
  startInline: [startOf(/\$|\\[[(]/)],
};
