import type { MarkedToken, Token, Tokens } from 'marked';
import { copyButton } from '../ui/buttons.ts';
import { el } from '../ui/dom.ts';
import { safeLink } from './safe-link.ts';

/*
 * Only the parser of `marked` is used, never its HTML: model output reaches the page as text nodes,
 * whatever it contains. Images are not loaded, because the address of one can carry the conversation
 * to its host.
 */

/** Everything else (HTML, images, footnotes of the future) is shown as it was written. */
const DRAWN = new Set(
  'blockquote br checkbox code codespan del em escape heading hr link list paragraph strong table text'.split(
    ' ',
  ),
);

function isDrawn(token: Token): token is MarkedToken {
  return DRAWN.has(token.type);
}

/** What the lexer found between blocks, and what shows nothing. */
export function isVisible({ type }: Token): boolean {
  return type !== 'space' && type !== 'def';
}

function renderBlocks(tokens: Token[]): Node[] {
  return tokens.filter(isVisible).map(renderBlock);
}

/** Exactly one node for one block. */
export function renderBlock(token: Token): Node {
  if (!isDrawn(token)) return el('p', {}, token.raw.trim());
  switch (token.type) {
    case 'heading':
      // The page has headings of its own; those of an answer are below them.
      return el(token.depth < 3 ? 'h3' : 'h4', {}, ...inline(token.tokens));
    case 'code':
      return renderCode(token);
    case 'list':
      return renderList(token);
    case 'blockquote':
      return el('blockquote', {}, ...renderBlocks(token.tokens));
    case 'table':
      return renderTable(token);
    case 'hr':
      return el('hr');
    case 'paragraph':
      return el('p', {}, ...inline(token.tokens));
    default:
      return el('p', {}, token.raw.trim());
  }
}

function renderCode({ text, lang }: Tokens.Code): Node {
  const bar = el(
    'div',
    { class: 'code-bar' },
    lang ?? '',
    copyButton('Copy code', () => text),
  );
  return el('div', { class: 'code' }, bar, el('pre', { tabindex: '0' }, el('code', {}, text)));
}

function renderList({ ordered, start, items }: Tokens.List): Node {
  const entries = items.map((item) =>
    el('li', {}, ...item.tokens.filter(isVisible).map(renderEntryPart)),
  );
  if (!ordered) return el('ul', {}, ...entries);
  return el('ol', { start: start === '' || start === 1 ? undefined : String(start) }, ...entries);
}

/** A tight list's entries hold their text directly, not in paragraphs. */
function renderEntryPart(token: Token): Node {
  if (!isDrawn(token)) return renderBlock(token);
  if (token.type === 'text') return el('span', {}, ...inline(token.tokens ?? [token]));
  return token.type === 'checkbox' ? renderCheckbox(token) : renderBlock(token);
}

function renderCheckbox({ checked }: Tokens.Checkbox): Node {
  return el('input', { type: 'checkbox', disabled: true, checked });
}

function renderTable({ header, rows }: Tokens.Table): Node {
  const row = (name: 'th' | 'td', cells: Tokens.TableCell[]) =>
    el('tr', {}, ...cells.map((cell) => el(name, {}, ...inline(cell.tokens))));
  const body = el('tbody', {}, ...rows.map((cells) => row('td', cells)));
  const table = el('table', {}, el('thead', {}, row('th', header)), body);
  return el('div', { class: 'table', tabindex: '0' }, table);
}

function inline(tokens: Token[]): Node[] {
  return tokens.map(renderInline);
}

function renderInline(token: Token): Node {
  if (!isDrawn(token)) return document.createTextNode(token.raw);
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return el(token.type, {}, ...inline(token.tokens));
    case 'codespan':
      return el('code', {}, token.text);
    case 'br':
      return el('br');
    case 'link':
      return renderLink(token);
    case 'text':
      return token.tokens
        ? el('span', {}, ...inline(token.tokens))
        : document.createTextNode(token.text);
    case 'escape':
      return document.createTextNode(token.text);
    default:
      return document.createTextNode(token.raw);
  }
}

function renderLink({ href, tokens }: Tokens.Link): Node {
  const url = safeLink(href);
  if (url === null) return el('span', {}, ...inline(tokens));
  const attributes = { href: url, target: '_blank', rel: 'noopener noreferrer', title: url };
  return el('a', attributes, ...inline(tokens));
}
