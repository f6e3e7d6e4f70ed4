import { withoutReferences } from '../../../../core/text/character-references.ts';
import { TemplateFault } from '../limits/faults.ts';
import { takeItems, takeSteps, takeText } from '../limits/render-limits.ts';
import { joinTexts } from '../values/built-texts.ts';
import { repr, str } from '../values/text.ts';
import { compare, isTrue, numberOf, Tuple, Undefined, type Value } from '../values/values.ts';
import type { Filter } from './filter.ts';
import { decimal } from './number-filters.ts';
import { escape } from './text-filters.ts';

/** Members of a dict as attributes of a tag, without those that are none or undefined. */
export const xmlattr: Filter = (value, [hasSpace], call) => {
  if (!(value instanceof Map)) throw new TemplateFault('xmlattr needs a dict');
  const isGiven = ([, its]: [Value, Value]) => its !== null && !(its instanceof Undefined);
  const written = [...value].filter(isGiven).map(([key, its]) => {
    const name = str(key);
    if (/[\s/>=]/.test(name))
      throw new TemplateFault(`Invalid character in attribute name: ${repr(name)}`);
    return `${str(escape(name, [], call))}="${str(escape(its, [], call))}"`;
  });
  const text = joinTexts(written, ' ');
  return text !== '' && isTrue(hasSpace ?? true) ? ` ${text}` : text;
};

/** A text without tags and comments, and with one space for each white space. */
export const striptags: Filter = (value) => {
  const text = str(value);
  takeItems(2 * text.length);
  const bare = withoutBetween(withoutBetween(text, '<!--', '-->'), '<', '>');
  return withoutReferences(bare.split(/\s+/).filter(Boolean).join(' '));
};

function withoutBetween(text: string, open: string, close: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let begin = text.indexOf(open); begin >= 0; begin = text.indexOf(open, at)) {
    const end = text.indexOf(close, begin);
    if (end < 0) break;
    kept.push(text.slice(at, begin));
    at = end + close.length;
  }
  return kept.join('') + text.slice(at);
}

const LETTERS = 'kMGTPEZY';

/** A number of bytes as a person reads it. */
export const filesizeformat: Filter = (value, [isBinary]) => {
  const bytes = typeof value === 'string' ? decimal(value) : numberOf(value);
  if (bytes === undefined)
    throw new TemplateFault(`filesizeformat needs a number, not ${repr(value)}`);
  const base = isTrue(isBinary ?? false) ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`;
  const [last, unit] = [LETTERS.length - 1, base === 1024 ? 'iB' : 'B'];
  let power = 0;
  while (power < last && bytes >= base ** (power + 2)) power++;
  const prefix = LETTERS.charAt(power);
  const letter = base === 1024 ? prefix.toUpperCase() : prefix;
  return `${(bytes / base ** (power + 1)).toFixed(1)} ${letter}${unit}`;
};

const WIDEST = 80;

/** A value as Python's `pprint` writes it. */
export const pprint: Filter = (value) => pretty(value, 0, 0);

/** @param indent - columns before it. @param after - characters that must follow it in its last line */
function pretty(value: Value, indent: number, after: number): string {
  const flat = repr(sortedKeys(value));
  takeText(flat.length);
  if (flat.length <= WIDEST - indent - after) return flat;
  const inner = (its: Value, more: number, isLast: boolean) =>
    pretty(its, indent + 1 + more, isLast ? after + 1 : 1);
  const lines = (items: readonly string[]) => joinTexts(items, `,\n${' '.repeat(indent + 1)}`);
  if (value instanceof Map) {
    const pairs = sortedPairs(value);
    return `{${lines(
      pairs.map(([key, its], at) => {
        const name = `${repr(key)}: `;
        return name + inner(its, name.length, at === pairs.length - 1);
      }),
    )}}`;
  }
  if (!Array.isArray(value)) return flat;
  const items = lines(value.map((item, at) => inner(item, 0, at === value.length - 1)));
  if (!(value instanceof Tuple)) return `[${items}]`;
  return `(${items}${value.length === 1 ? ',' : ''})`;
}

function sortedPairs(map: Map<Value, Value>): [Value, Value][] {
  return [...map].toSorted(([a], [b]) => compare(str(a), str(b)));
}

function sortedKeys(value: Value): Value {
  takeSteps(1);
  if (value instanceof Map)
    return new Map(sortedPairs(value).map(([key, its]) => [key, sortedKeys(its)]));
  if (value instanceof Tuple) return Tuple.from(value.map(sortedKeys));
  return Array.isArray(value) ? value.map(sortedKeys) : value;
}
