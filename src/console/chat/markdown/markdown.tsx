import type { MarkedToken, Token, Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { Fallback } from '../../ui/fallback.tsx';
import { CodeBlock, Settled } from './code/code-block.tsx';
import { FootnoteButton, FootnoteText, Notes } from './footnote-views.tsx';
import { MOST_SPANNED } from './extensions.ts';
import { isFootnote, isFootnoteMark } from './footnotes.ts';
import { directionOf } from './direction.ts';
import { GrowingBlocks } from './growing-blocks.ts';
import { Formula } from './formula/formula.tsx';
import { isVisible, markdownBlocks } from './markdown-blocks.ts';
import { isMath } from './formula/math-tokens.ts';
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

interface MarkdownProps {
  text: string;
  /** Whether more text will follow. */
  isGrowing?: boolean;
}

/** Draws Markdown; if that fails, the text as it is. */
export function Markdown(props: MarkdownProps): VNode {
  const plain = (
    <div class="markdown">
      <p dir="auto">{props.text}</p>
    </div>
  );
  return (
    <Fallback instead={plain}>
      <MarkdownBlocks {...props} />
    </Fallback>
  );
}

/** If the text grows, only the blocks that may have changed are parsed and drawn again. */
function MarkdownBlocks({ text, isGrowing = false }: MarkdownProps): VNode {
  const id = useId();
  const growing = useMemo(() => new GrowingBlocks(), []);
  const tokens = isGrowing ? growing.read(text) : markdownBlocks(text);
  return (
    <div class="markdown">
      <Notes.Provider value={id}>
        {tokens.map((token, index) => (
          <Block key={index} token={token} isSettled={!isGrowing || index < tokens.length - 1} />
        ))}
      </Notes.Provider>
    </div>
  );
}

/** If an element is the same object as before, Preact leaves it alone, so that text in it stays selected. */
function Block({ token, isSettled }: { token: Token; isSettled: boolean }): VNode {
  const drawn = useMemo(() => <DrawnBlock token={token} />, [token.raw]);
  return <Settled.Provider value={isSettled}>{drawn}</Settled.Provider>;
}

function DrawnBlock({ token }: { token: Token }): VNode {
  if (isMath(token)) return <Formula tex={token.text} isBlock={token.isBlock} />;
  if (isFootnote(token)) {
    return <FootnoteText name={token.name}>{inline(token.tokens)}</FootnoteText>;
  }
  if (!isDrawn(token)) return <p dir="auto">{token.raw.trim()}</p>;
  switch (token.type) {
    case 'heading':
      // An answer's headings rank below the page's own.
      return token.depth < 3 ? (
        <h3 key={keyOf(token)} dir="auto">
          {inline(token.tokens)}
        </h3>
      ) : (
        <h4 key={keyOf(token)} dir="auto">
          {inline(token.tokens)}
        </h4>
      );
    case 'code':
      return <CodeBlock text={token.text} language={languageOf(token)} />;
    case 'list':
      return <List token={token} />;
    case 'blockquote':
      return <blockquote dir={directionOf(token.raw)}>{blocks(token.tokens)}</blockquote>;
    case 'table':
      return <Table token={token} />;
    case 'hr':
      return <hr />;
    case 'paragraph':
      return (
        <p key={keyOf(token)} dir="auto">
          {inline(token.tokens)}
        </p>
      );
    default:
      return <p dir="auto">{token.raw.trim()}</p>;
  }
}

/**
 * A text that grows beyond its spans gets a new element. From the old one, Preact would remove them one by one, and the
 * browser would look for its direction (`dir`) after each: 120 ms for 2,600 spans.
 */
function keyOf({ text }: { text: string }): string {
  return text.length > MOST_SPANNED ? 'plain' : 'spans';
}

function blocks(tokens: Token[]): ComponentChildren {
  return tokens.filter(isVisible).map((token, index) => <DrawnBlock key={index} token={token} />);
}

/** The first word after the fence, as in `ts title=…`. */
function languageOf({ lang = '' }: Tokens.Code): string {
  return lang.split(/\s/)[0] ?? '';
}

function List({ token: { ordered, start, items, raw } }: { token: Tokens.List }): VNode {
  const entries = items.map(({ tokens }, index) => (
    <li key={index}>{tokens.filter(isVisible).map(entryPart)}</li>
  ));
  const dir = directionOf(raw);
  if (!ordered) return <ul dir={dir}>{entries}</ul>;
  return (
    <ol dir={dir} start={start === '' ? 1 : start}>
      {entries}
    </ol>
  );
}

/** In a tight list, the text of an entry is not wrapped in a paragraph. */
function entryPart(token: Token, index: number): VNode {
  if (isDrawn(token) && token.type === 'text') {
    return (
      <span key={`${index} ${keyOf(token)}`} dir="auto">
        {inline(token.tokens ?? [token])}
      </span>
    );
  }
  if (isDrawn(token) && token.type === 'checkbox') {
    return <input key={index} type="checkbox" disabled checked={token.checked} />;
  }
  return <DrawnBlock key={index} token={token} />;
}

/** Further rows of a table are shown as text: tens of thousands of cells would block the page. */
const MOST_CELLS = 5_000;

function Table({ token: { header, rows, raw } }: { token: Tokens.Table }): VNode {
  const most = Math.ceil(MOST_CELLS / header.length);
  // A table begins with its header and the line below it.
  const rest = raw.split('\n').slice(most + 2);
  return (
    <div class="table" dir={directionOf(raw)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens, align }, index) => (
              <th key={index} dir="auto" class={align ?? ''}>
                {inline(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((cells, row) => (
            <tr key={row}>
              {cells.map(({ tokens, align }, index) => (
                <td key={index} dir="auto" class={align ?? ''}>
                  {inline(tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && <p dir="auto">{rest.join('\n')}</p>}
    </div>
  );
}

function inline(tokens: Token[]): ComponentChildren {
  return tokens.map((token) => drawnInline(token));
}

function drawnInline(token: Token): ComponentChildren {
  if (isMath(token)) return <Formula tex={token.text} isBlock={token.isBlock} />;
  if (isFootnoteMark(token)) return <FootnoteButton name={token.name} />;
  if (!isDrawn(token)) return token.raw;
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'del':
      return <del>{inline(token.tokens)}</del>;
    case 'codespan':
      // A paragraph that begins with code has the direction of its words.
      return <code dir="ltr">{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link token={token} />;
    case 'text':
      return token.tokens ? <span>{inline(token.tokens)}</span> : token.text;
    case 'escape':
      return token.text;
    default:
      return token.raw;
  }
}

function Link({ token: { href, tokens } }: { token: Tokens.Link }): VNode {
  const url = safeLink(href);
  if (url === null) return <span>{inline(tokens)}</span>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" title={url}>
      {inline(tokens)}
    </a>
  );
}
