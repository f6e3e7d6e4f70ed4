import { TemplateFault } from '../limits/faults.ts';
import {
  characterCount,
  joinTexts,
  occurrences,
  padText,
  replaceText,
  splitText,
} from './built-texts.ts';
import { takeItems, takeSteps, takeText } from '../limits/render-limits.ts';
import { str } from './text.ts';
import {
  argument,
  Callable,
  isEqual,
  isTrue,
  itemsOf,
  numberOf,
  orUndefined,
  Tuple,
  type Arguments,
  type Value,
} from './values.ts';

type Method<T> = (self: T, args: Value[], named: Arguments) => Value;

/** White space, as Python has it. */
const SPACE =
  '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
  '\u2028\u2029\u202f\u205f\u3000';
const SPACES_SET = new Set(SPACE);
const SPACES = new RegExp(`[${SPACE}]+`);

/** Python's `strip`: white space, or any of these characters. */
export function strip(
  text: string,
  chars: Value = null,
  sides: 'left' | 'right' | 'both' = 'both',
): string {
  const set = chars === null ? SPACES_SET : characterSet(str(chars));
  const isOuter = (char: string) => set.has(char);
  let from = 0;
  let to = text.length;
  if (sides !== 'right') while (from < to && isOuter(text.charAt(from))) from++;
  if (sides !== 'left') while (to > from && isOuter(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

function characterSet(text: string): Set<string> {
  takeItems(text.length);
  return new Set(text.split(''));
}

export function capitalize(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

export function title(text: string): string {
  return text.replaceAll(/\p{L}+/gu, capitalize);
}

/** Python puts the odd space before a text if the width is odd. */
export function centre(text: string, width: number, fill = ' '): string {
  const missing = Math.max(0, width - characterCount(text));
  const left = Math.floor(missing / 2) + (missing & width & 1);
  const right = padText('', missing - left, 'after', fill);
  return padText('', left, 'before', fill) + text + right;
}

export function replace(text: string, from: string, to: string, count = -1): string {
  if (count < 0) return replaceText(text, from, to);
  const parts = splitText(text, from);
  const head = joinTexts(parts.slice(0, count + 1), to);
  return joinTexts([head, ...parts.slice(count + 1)], from);
}

function split(text: string, separator: Value = null, most = -1): string[] {
  if (separator === null) return splitSpaces(text, most);
  const by = str(separator);
  if (by === '') throw new TemplateFault('empty separator');
  const parts = splitText(text, by);
  return most < 0 || parts.length <= most + 1
    ? parts
    : [...parts.slice(0, most), parts.slice(most).join(by)];
}

function splitSpaces(text: string, most: number): string[] {
  const parts: string[] = [];
  let rest = strip(text, null, 'left');
  while (rest !== '') {
    takeSteps(1);
    const gap = parts.length === most ? null : SPACES.exec(rest);
    parts.push(gap ? rest.slice(0, gap.index) : rest);
    rest = gap ? rest.slice(gap.index + gap[0].length) : '';
  }
  return parts;
}

function rsplit(text: string, separator: Value = null, most = -1): string[] {
  if (separator === null || most < 0) return split(text, separator, most);
  const by = str(separator);
  const parts = splitText(text, by);
  const cut = Math.max(0, parts.length - most);
  return cut === 0 ? parts : [parts.slice(0, cut).join(by), ...parts.slice(cut)];
}

function fits([pattern = null]: Value[], test: (part: string) => boolean): boolean {
  const parts = Array.isArray(pattern) ? pattern : [pattern];
  if (!parts.every((part) => typeof part === 'string'))
    throw new TemplateFault('must be str or a tuple of str');
  return parts.some((part) => test(str(part)));
}

function partition(text: string, by: string, at: number): Value {
  if (at < 0) return Tuple.from([text, '', '']);
  return Tuple.from([text.slice(0, at), by, text.slice(at + by.length)]);
}

/** Counts characters, not units, before a place. */
function placeOf(text: string, at: number): number {
  return at < 0 ? at : characterCount(text.slice(0, at));
}

const count = (value: Value | undefined): number =>
  value === undefined ? -1 : (numberOf(value) ?? -1);

const OF_TEXT: Record<string, Method<string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  swapcase: (text) =>
    text.replaceAll(/\p{Lu}|\p{Ll}/gu, (char) =>
      char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase(),
    ),
  casefold: (text) => text.toUpperCase().toLowerCase(),
  strip: (text, [chars]) => strip(text, chars),
  lstrip: (text, [chars]) => strip(text, chars, 'left'),
  rstrip: (text, [chars]) => strip(text, chars, 'right'),
  title,
  capitalize,
  startswith: (text, args) => fits(args, (part) => text.startsWith(part)),
  endswith: (text, args) => fits(args, (part) => text.endsWith(part)),
  split: (text, args, named) =>
    split(text, argument(args, named, 0, 'sep'), count(argument(args, named, 1, 'maxsplit'))),
  rsplit: (text, args, named) =>
    rsplit(text, argument(args, named, 0, 'sep'), count(argument(args, named, 1, 'maxsplit'))),
  splitlines: (text, args, named) => {
    if (text === '') return [];
    const keepsEnds = isTrue(argument(args, named, 0, 'keepends') ?? false);
    if (keepsEnds) return splitText(text, /(?<=\n|\r(?!\n))(?=.)/su);
    return splitText(text.replace(/(?:\r\n|[\r\n])$/, ''), /\r\n|[\r\n]/);
  },
  replace: (text, args, named) => {
    const [from = '', to = ''] = args;
    return replace(text, str(from), str(to), count(argument(args, named, 2, 'count')));
  },
  join: (text, [list = []]) => joinTexts(itemsOf(list).map(str), text),
  find: (text, [part = '']) => placeOf(text, text.indexOf(str(part))),
  rfind: (text, [part = '']) => placeOf(text, text.lastIndexOf(str(part))),
  index: (text, [part = '']) => placeOf(text, text.indexOf(str(part))),
  count: (text, [part = '']) => occurrences(text, str(part)),
  partition: (text, [by = '']) => partition(text, str(by), text.indexOf(str(by))),
  rpartition: (text, [by = '']) => partition(text, str(by), text.lastIndexOf(str(by))),
  removeprefix: (text, [part = '']) =>
    text.startsWith(str(part)) ? text.slice(str(part).length) : text,
  removesuffix: (text, [part = '']) =>
    text.endsWith(str(part)) ? text.slice(0, text.length - str(part).length) : text,
  isdigit: (text) => /^\p{Nd}+$/u.test(text),
  isdecimal: (text) => /^\p{Nd}+$/u.test(text),
  isnumeric: (text) => /^\p{N}+$/u.test(text),
  isalpha: (text) => /^\p{L}+$/u.test(text),
  isalnum: (text) => /^[\p{L}\p{N}]+$/u.test(text),
  isspace: (text) => text !== '' && strip(text) === '',
  isupper: (text) => text !== text.toLowerCase() && text === text.toUpperCase(),
  islower: (text) => text !== text.toUpperCase() && text === text.toLowerCase(),
  zfill: (text, [width = 0]) => {
    const sign = /^[+-]/.exec(text)?.[0] ?? '';
    const size = (numberOf(width) ?? 0) - sign.length;
    return sign + padText(text.slice(sign.length), size, 'before', '0');
  },
  center: (text, [width = 0, fill]) => centre(text, numberOf(width) ?? 0, str(fill ?? ' ')),
  ljust: (text, [width = 0, fill]) =>
    padText(text, numberOf(width) ?? 0, 'after', str(fill ?? ' ')),
  rjust: (text, [width = 0, fill]) =>
    padText(text, numberOf(width) ?? 0, 'before', str(fill ?? ' ')),
};

const OF_DICT: Record<string, Method<Map<Value, Value>>> = {
  get: (dict, [key = null, other = null]) => (dict.has(key) ? orUndefined(dict.get(key)) : other),
  items: (dict) => [...dict].map((pair) => Tuple.from(pair)),
  keys: (dict) => [...dict.keys()],
  values: (dict) => [...dict.values()],
  copy: (dict) => new Map(dict),
};

const OF_LIST: Record<string, Method<Value[]>> = {
  // A sandbox of jinja2 forbids these two, but some makers' templates need them.
  append: (list, [item = null]) => {
    list.push(item);
    return null;
  },
  pop: (list, [index = -1]) => {
    const [item] = list.splice(numberOf(index) ?? -1, 1);
    if (item === undefined) throw new TemplateFault('pop index out of range');
    return item;
  },
  index: (list, [item = null]) => list.findIndex((each) => isEqual(each, item)),
  count: (list, [item = null]) => list.filter((each) => isEqual(each, item)).length,
  copy: (list) => [...list],
};

/** A method of a Python object; undefined: the object has no such method, or a sandbox forbids it. */
export function methodOf(self: Value, name: string): Callable | undefined {
  if (typeof self === 'string') return bound(OF_TEXT, self, name);
  if (self instanceof Map) return bound(OF_DICT, self, name);
  return Array.isArray(self) ? bound(OF_LIST, self, name) : undefined;
}

function bound<T>(methods: Record<string, Method<T>>, self: T, name: string): Callable | undefined {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method) return undefined;
  return new Callable((args, named) => {
    for (const value of [self, ...args]) {
      if (typeof value === 'string') takeText(value.length);
      else if (value instanceof Map) takeItems(value.size);
    }
    return method(self, args, named);
  });
}
