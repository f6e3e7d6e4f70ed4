import type { Token, TokenizerThis, Tokens } from 'marked';

/** `[^name]` in a text. */
export interface FootnoteMark extends Tokens.Generic {
  type: 'footnoteMark';
  name: string;
}

/** `[^name]: text` on lines of its own. */
export interface Footnote extends Tokens.Generic {
  type: 'footnote';
  name: string;
  tokens: Token[];
}

export function isFootnoteMark(token: Token): token is FootnoteMark {
  return token.type === 'footnoteMark';
}

export function isFootnote(token: Token): token is Footnote {
  return token.type === 'footnote';
}

const MARK = /^\[\^([^\]\s]{1,40})\](?!:)/;
/** The note goes on in lines that are indented. */
const NOTE = /^ {0,3}\[\^([^\]\s]{1,40})\]:[ \t]*([^\n]*(?:\n[ \t]+\S[^\n]*)*)(?:\n|$)/;

export function footnoteMark(source: string): FootnoteMark | undefined {
  const [raw, name] = MARK.exec(source) ?? [];
  if (raw === undefined || name === undefined) return undefined;
  return { type: 'footnoteMark', raw, name };
}

/** @param lexer - reads what the note says */
export function footnote(source: string, lexer: TokenizerThis['lexer']): Footnote | undefined {
  const [raw, name, text] = NOTE.exec(source) ?? [];
  if (raw === undefined || name === undefined || text === undefined) return undefined;
  const tokens = lexer.inlineTokens(text.replaceAll(/\n[ \t]+/g, '\n'));
  return { type: 'footnote', raw, name, tokens };
}

/** Where a footnote may end the paragraph before it. */
export const FOOTNOTE_START = /\n {0,3}\[\^[^\]\s]{1,40}\]:/;
/** Where a mark may begin. */
export const MARK_START = /\[\^/;
