import type { Token, Tokens } from 'marked';

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

/** marked's tokenizer for formulas on lines of their own, or in a line. */
export function mathTokenizer(isBlock: boolean) {
  const patterns = isBlock ? BLOCK : INLINE;
  return (source: string): MathToken | undefined => {
    const [raw, text] = firstMatch(patterns, source) ?? [];
    if (raw === undefined || text === undefined || text.trim() === '') return undefined;
    return { type: 'math', raw, text: text.trim(), isBlock };
  };
}

/** Where a formula on lines of its own may end the paragraph before it. */
export const MATH_BLOCK_START = /\n {0,3}(?:\$\$|\\\[)/;
/** Where a formula in a line may begin. */
export const MATH_START = /\$|\\[[(]/;
