import { TemplateFault } from '../limits/faults.ts';
import { takeItems, takeText } from '../limits/render-limits.ts';
import { characterList, joinTexts, repeatText, splitText } from '../values/built-texts.ts';
import { capitalize } from '../values/methods.ts';
import { dumps, str } from '../values/text.ts';
import { isTrue, itemsOf, numberOf, type Value } from '../values/values.ts';
import type { Filter } from './filter.ts';

export const tojson: Filter = (value, [ensureAscii, indentation, separators, sortKeys]) => {
  const isGiven = separators !== undefined && separators !== null;
  const [item = ', ', key = ': '] = isGiven ? itemsOf(separators).map(str) : [];
  const hasIndent = indentation !== undefined && indentation !== null;
  return dumps(value, {
    ...(hasIndent && { indent: spaces(indentation, 0) }),
    ...(isGiven && { separators: [item, key] }),
    ensureAscii: isTrue(ensureAscii ?? false),
    sortKeys: isTrue(sortKeys ?? false),
  });
};

function spaces(width: Value, other: number): string {
  return typeof width === 'string' ? width : repeatText(' ', numberOf(width) ?? other);
}

export const indent: Filter = (value, [width = 4, first, blank]) => {
  const space = spaces(width, 4);
  const lines = splitText(str(value), '\n').map((line, at) =>
    at > 0 && (line !== '' || isTrue(blank ?? false)) ? space + line : line,
  );
  return (isTrue(first ?? false) ? space : '') + joinTexts(lines, '\n');
};

const LEEWAY = 5;

export const truncate: Filter = (value, [length, killwords, end, leeway]) => {
  const text = str(value);
  const [most, mark] = [numberOf(length ?? 255) ?? 255, str(end ?? '...')];
  if (most < mark.length) throw new TemplateFault(`expected length >= ${mark.length}, got ${most}`);
  const characters = characterList(text);
  if (characters.length <= most + (numberOf(leeway ?? LEEWAY) ?? LEEWAY)) return text;
  const kept = characters.slice(0, most - mark.length).join('');
  if (isTrue(killwords ?? false)) return kept + mark;
  const space = kept.lastIndexOf(' ');
  return (space < 0 ? kept : kept.slice(0, space)) + mark;
};

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};
export const escape: Filter = (value) => {
  const text = str(value);
  takeItems(text.length);
  return text.replaceAll(/[&<>'"]/g, (char) => ESCAPES[char] ?? char);
};

export const title: Filter = (value) => {
  const text = str(value);
  takeItems(text.length);
  // The filter begins words at fewer characters than the method.
  return text.replaceAll(/[^-\s({[<]+/g, capitalize);
};

export const wordcount: Filter = (value) => {
  const text = str(value);
  takeItems(text.length);
  return text.match(/\w+/g)?.length ?? 0;
};

export const urlencode: Filter = (value) => {
  if (!(value instanceof Map)) return quoted(str(value)).replaceAll('%2F', '/');
  const pairs = [...value].map((pair) =>
    pair.map((each) => quoted(str(each)).replaceAll('%20', '+')),
  );
  return joinTexts(
    pairs.map((pair) => pair.join('=')),
    '&',
  );
};

function quoted(text: string): string {
  takeText(text.length);
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
