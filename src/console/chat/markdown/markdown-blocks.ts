import { Lexer, Tokenizer, type Token } from 'marked';
import { EXTENSIONS, MOST_SPANNED } from './extensions.ts';

/** Blocks or spans that are nested deeper are text. No reader follows more, and a model may repeat `>` for ever. */
export const MOST_DEPTH = 16;

/** marked's tokenizer with bounded depth. What it does not take for a block or a span becomes text. */
class BoundedTokenizer extends Tokenizer<never, never> {
  #depth = 0;

  override blockquote(src: string) {
    return this.#nested(() => super.blockquote(src));
  }

  override list(src: string) {
    return this.#nested(() => super.list(src));
  }

  override emStrong(src: string, maskedSrc: string, prevChar?: string) {
    return this.#nested(() => super.emStrong(src, maskedSrc, prevChar));
  }

  override del(src: string, maskedSrc: string, prevChar?: string) {
    return this.#nested(() => super.del(src, maskedSrc, prevChar));
  }

  override link(src: string) {
    return this.#nested(() => super.link(src));
  }

  #nested<T>(read: () => T): T | undefined {
    if (this.#depth >= MOST_DEPTH) return undefined;
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}

class BoundedLexer extends Lexer<never, never> {
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= MOST_SPANNED) return super.inlineTokens(src, tokens);
    tokens.push({ type: 'text', raw: src, text: src, escaped: false });
    return tokens;
  }
}

/** The blocks of a Markdown text that are drawn: neither blank lines nor definitions of links. */
export function markdownBlocks(text: string): Token[] {
  return lexed(text).filter(isVisible);
}

/** All blocks of a Markdown text. Together, their `raw` is the text. */
export function lexed(text: string): Token[] {
  // Models use single line breaks on purpose, so they are kept (`breaks`).
  const tokenizer = new BoundedTokenizer();
  return new BoundedLexer({ gfm: true, breaks: true, tokenizer, extensions: EXTENSIONS }).lex(text);
}

/** False for blank lines and link definitions, which draw nothing. */
export function isVisible({ type }: Token): boolean {
  return type !== 'space' && type !== 'def';
}
