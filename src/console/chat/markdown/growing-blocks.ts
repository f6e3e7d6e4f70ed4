import type { Token } from 'marked';
import { isVisible, lexed } from './markdown-blocks.ts';

/**
 * The last visible blocks, which appended text may still change: it continues the last one, and a half-written mark of a
 * list's next entry is a block of its own until it is whole.
 */
const OPEN = 2;

/**
 * Parses a text that grows, and parses the blocks that more text cannot change only once. Definitions of links reach
 * only the blocks after them that are parsed together with them.
 */
export class GrowingBlocks {
  /** The text of the blocks that are complete. */
  #closedText = '';
  #closed: Token[] = [];

  /** The visible blocks of the text. If the text does not begin with the one of the last call, all of it is parsed. */
  read(text: string): Token[] {
    const source = text.replaceAll(/\r\n?/g, '\n');
    if (!source.startsWith(this.#closedText)) {
      this.#closedText = '';
      this.#closed = [];
    }
    const tokens = lexed(source.slice(this.#closedText.length));
    const visible = tokens.filter(isVisible);
    const blocks = [...this.#closed, ...visible];
    const [firstOpen] = visible.slice(-OPEN);
    if (firstOpen && visible.length > OPEN) {
      const complete = tokens.slice(0, tokens.indexOf(firstOpen));
      this.#closedText += complete.map(({ raw }) => raw).join('');
      this.#closed.push(...complete.filter(isVisible));
    }
    return blocks;
  }
}
