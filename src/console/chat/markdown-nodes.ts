import type { MarkedToken, Token, Tokens } from 'marked';
import { copyButton } from '../ui/buttons.ts';
import { el } from '../ui/dom.ts';
import { safeLink } from './safe-link.ts';

/*
 * Only marked's parser is used, never its HTML. Whatever the model writes reaches the page as text
 * nodes. Images are not loaded, because an image's URL could send the conversation to its host.
 */

/** Tokens of any other type (HTML, images, future syntax) are shown as their source text. */
const DRAWN = new Set(
  'blockquote br checkbox code codespan del em escape heading hr link list paragraph strong table text'.split(
    ' ',
  ),
);

function isDrawn(token: Token): token is MarkedToken {
  return DRAWN.has(token.type);
}

/** False for blank lines and link definitions, which draw nothing. */
export function isVisible({ type }: Token): boolean {
  return type !== 'space' && type !== 'def';
}

function renderBlocks(tokens: Token[]): Node[] {
  return tokens.filter(isVisible).map(renderBlock);
}

/** Draws a block as exactly one node. */
export function renderBlock(token: Token): Node {
  if (!isDrawn(token)) return el('p', {}, token.raw.trim());
  switch (token.type) {
    case 'heading':
      // An answer's headings rank below the page's own.
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

/** In a tight list, the text of an entry is not wrapped in a paragraph. */
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
