import { TemplateFault } from '../limits/faults.ts';

/** Real templates have less than a tenth of this. */
const MOST_CHARACTERS = 1_000_000;
/** The library's lexer takes the square of this. */
const MOST_SPACES = 2_000;

const RAW = /\{%([-+]?)\s*raw\s*(-?)%\}/y;
const END_RAW = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g;

/**
 * A template's source without what the library's lexer cannot read: `{% raw %}`, whose text becomes an expression, and
 * the `+` that keeps white space before or behind a tag.
 *
 * @throws TemplateFault if the source is too long to be read quickly, or a `{% raw %}` is not closed
 */
export function readableSource(source: string): string {
  requireShort(source);
  const parts: string[] = [];
  for (let at = 0; at < source.length;) {
    const tag = nextTag(source, at);
    const text = source.slice(at, tag);
    const keepsText = source[tag + 2] === '+' && source[tag + 1] !== '{';
    parts.push(keepsText ? withoutIndent(text, tag === text.length) : text);
    at = tag;
    if (tag === source.length) break;
    const raw = rawBlock(source, tag);
    const end = raw?.end ?? endOfTag(source, tag);
    parts.push(
      raw?.text ??
        source
          .slice(tag, end)
          .replace(/^\{([%#])\+/, '{$1')
          .replace(/\+%\}$/, '%}'),
    );
    const keepsNewline = source.startsWith('+%}\n', end - 3);
    if (keepsNewline) parts.push(literal('\n'));
    at = keepsNewline ? end + 1 : end;
  }
  return parts.join('');
}

function requireShort(source: string): void {
  if (source.length > MOST_CHARACTERS)
    throw new TemplateFault(`it has more than ${MOST_CHARACTERS} characters`);
  for (const [spaces] of source.matchAll(/\s+/g)) {
    if (spaces.length > MOST_SPACES)
      throw new TemplateFault(`it has more than ${MOST_SPACES} spaces in a row`);
  }
}

/** A text as an expression, which the lexer does not change. */
function literal(text: string): string {
  if (text === '') return '';
  const escaped = text.replaceAll(
    /[^\w ]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `{{ "${escaped}" }}`;
}

/** A text before a tag, with the indentation of the tag's line as an expression. */
function withoutIndent(text: string, isFirst: boolean): string {
  const line = text.lastIndexOf('\n') + 1;
  const indent = text.slice(line);
  const isIndent = (line > 0 || isFirst) && /^[ \t]*$/.test(indent);
  return isIndent ? text.slice(0, line) + literal(indent) : text;
}

/** The block that begins here, as an `{% if 1 %}`, so that the lexer strips the white space around it. */
function rawBlock(source: string, tag: number): { text: string; end: number } | undefined {
  RAW.lastIndex = tag;
  const begin = RAW.exec(source);
  if (!begin) return undefined;
  END_RAW.lastIndex = RAW.lastIndex;
  const close = END_RAW.exec(source);
  if (!close) throw new TemplateFault('{% raw %} is not closed');
  const [, before, behindBegin] = begin;
  const [closing, beforeEnd, behind] = close;
  let body = source.slice(tag + begin[0].length, close.index);
  if (behindBegin === '-') body = body.trimStart();
  if (beforeEnd === '-') body = body.trimEnd();
  else if (beforeEnd === '') body = body.replace(/\n[ \t]*$/, '\n');
  const dash = (sign: string | undefined) => (sign === '-' ? '-' : '');
  return {
    text: `{%${dash(before)} if 1 %}${literal(body)}{% endif ${dash(behind)}%}`,
    end: close.index + closing.length,
  };
}

function nextTag(source: string, from: number): number {
  for (let at = source.indexOf('{', from); at >= 0; at = source.indexOf('{', at + 1)) {
    if (/[{%#]/.test(source.charAt(at + 1))) return at;
  }
  return source.length;
}

/** The place behind a tag, an expression or a comment. Marks between quotes do not end it. */
function endOfTag(source: string, tag: number): number {
  const kind = source[tag + 1];
  if (kind === '#') return afterMark(source, '#}', tag + 2);
  const close = kind === '%' ? '%}' : '}}';
  for (let at = tag + 2; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '"' || char === "'") at = endOfText(source, at);
    else if (source.startsWith(close, at)) return at + close.length;
  }
  return source.length;
}

function endOfText(source: string, begin: number): number {
  const quote = source[begin];
  let at = begin + 1;
  while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1;
  return at;
}

function afterMark(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from);
  return at < 0 ? source.length : at + mark.length;
}
