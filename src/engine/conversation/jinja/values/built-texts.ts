import { TemplateTooLong } from '../limits/faults.ts';
import { checkLength, takeItems, takeSteps, takeText } from '../limits/render-limits.ts';

/** The most parts into which a text is split, and the most copies of an item. */
export const MOST_PARTS = 1 << 20;

const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;
/** How many characters are made into items in the time of a step. */
const SINGLE_CHARACTERS = 4;

/** Python's `len(text)`: it counts code points. */
export function characterCount(text: string): number {
  takeText(text.length);
  return text.length - (text.match(PAIRS)?.length ?? 0);
}

/** The characters of a text; a text itself if each of its units is one. */
export function charactersOf(text: string): string | string[] {
  takeText(text.length);
  if (!/[\ud800-\udfff]/.test(text)) return text;
  return characterList(text);
}

/** The characters of a text as a list. */
export function characterList(text: string): string[] {
  takeSteps(text.length / SINGLE_CHARACTERS);
  return Array.from(text);
}

export function joinTexts(texts: readonly string[], separator: string): string {
  takeItems(texts.length);
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const length = characters + separator.length * Math.max(0, texts.length - 1);
  checkLength(length);
  takeText(length);
  return texts.join(separator);
}

/** Python's `text * times`. */
export function repeatText(text: string, times: number): string {
  const count = Math.max(0, Math.trunc(times));
  const length = text === '' ? 0 : text.length * count;
  checkLength(length);
  takeText(length);
  return length === 0 ? '' : text.repeat(count);
}

/** Fills a text up to a width, before it or after it. */
export function padText(text: string, width: number, side: 'before' | 'after', fill = ' '): string {
  checkLength(width);
  takeText(width);
  return side === 'before' ? text.padStart(width, fill) : text.padEnd(width, fill);
}

/** Splits a text as JavaScript does. @throws TemplateTooLong if there are too many parts */
export function splitText(text: string, by: string | RegExp): string[] {
  takeText(text.length);
  const parts = text.split(by, MOST_PARTS + 1);
  if (parts.length > MOST_PARTS) throw new TemplateTooLong('A text has too many parts.');
  takeItems(parts.length);
  return parts;
}

export function replaceText(text: string, from: string, to: string): string {
  takeText(text.length);
  const found = occurrences(text, from);
  checkLength(text.length + found * Math.max(0, to.length - from.length));
  takeText(found * to.length);
  if (from === '') return to + characterList(text).join(to) + (text === '' ? '' : to);
  return text.replaceAll(from, () => to);
}

/** How often a text has another one in it. */
export function occurrences(text: string, part: string): number {
  if (part === '') return characterCount(text) + 1;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  takeItems(count);
  return count;
}
