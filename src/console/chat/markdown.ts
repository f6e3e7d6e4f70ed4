import { lexer } from 'marked';
import { el } from '../ui/dom.ts';
import { isVisible, renderBlock } from './markdown-nodes.ts';

/** Draws a growing Markdown text as DOM nodes. */
export class MarkdownView {
  readonly element = el('div', { class: 'markdown' });
  /** The source of each drawn block, in the order of the element's children. */
  #blocks: string[] = [];
  #text = '';

  get text(): string {
    return this.#text;
  }

  /** Draws only the blocks that changed, so that a selection in the others survives. */
  append(piece: string): void {
    this.#text += piece;
    // Models use single line breaks on purpose, so they are kept (`breaks`).
    const tokens = lexer(this.#text, { gfm: true, breaks: true }).filter(isVisible);
    const changed = this.#blocks.findIndex((raw, index) => raw !== tokens[index]?.raw);
    const kept = changed === -1 ? this.#blocks.length : changed;
    while (this.element.childNodes.length > kept) this.element.lastChild?.remove();
    this.element.append(...tokens.slice(kept).map(renderBlock));
    this.#blocks = tokens.map(({ raw }) => raw);
  }
}
