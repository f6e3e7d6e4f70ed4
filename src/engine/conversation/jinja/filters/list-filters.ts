import { TemplateFault } from '../limits/faults.ts';
import { takeItems, takeSteps, takeText } from '../limits/render-limits.ts';
import { joinTexts } from '../values/built-texts.ts';
import { operate } from '../values/operators.ts';
import { str } from '../values/text.ts';
import {
  compare,
  isEqual,
  isTrue,
  itemsOf,
  numberOf,
  orUndefined,
  Tuple,
  typeName,
  Undefined,
  type Found,
  type Value,
} from '../values/values.ts';
import type { Filter, Member } from './filter.ts';

/** An attribute such as `function.name`. */
export function attribute(member: Member, value: Value, path: Value): Value {
  if (typeof path === 'string') takeItems(path.length);
  const parts: Value[] =
    typeof path === 'string'
      ? path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
      : [path];
  return parts.reduce(member, value);
}

/** What a filter looks at in an item: the item, or an attribute of it. */
function looked(member: Member, path: Found): (item: Value) => Value {
  return (item) => (path === undefined || path === null ? item : attribute(member, item, path));
}

/** Jinja orders texts by their small letters, unless it is told otherwise. */
function comparable(value: Value, isExact: Found): Value {
  if (typeof value !== 'string' || isTrue(isExact ?? false)) return value;
  takeText(value.length);
  return value.toLowerCase();
}

function sorted(list: Value[], key: (item: Value) => Value, isReversed: Found): Value[] {
  const sign = isTrue(isReversed ?? false) ? -1 : 1;
  const keyed = list.map((item) => ({ item, key: key(item) }));
  return keyed.toSorted((a, b) => sign * compare(a.key, b.key)).map(({ item }) => item);
}

export const sort: Filter = (value, [isReversed, isExact, path], { member }) => {
  const paths = typeof path === 'string' ? path.split(',') : [path];
  const keys = paths.map((each) => looked(member, each));
  const key = (item: Value) => keys.map((its) => comparable(its(item), isExact));
  return sorted(itemsOf(value), key, isReversed);
};

export const dictsort: Filter = (value, [isExact, by, isReversed]) => {
  if (!(value instanceof Map)) throw new TemplateFault(`'${typeName(value)}' object is not a dict`);
  const place = str(by ?? 'key') === 'key' ? 0 : 1;
  const pairs: Value[] = [...value].map((pair) => Tuple.from(pair));
  return sorted(pairs, (pair) => comparable(itemsOf(pair)[place] ?? null, isExact), isReversed);
};

export const groupby: Filter = (value, [path, other, isExact], { member }) => {
  const by = (item: Value) => {
    const its = attribute(member, item, path ?? '');
    return its instanceof Undefined && other !== undefined ? other : its;
  };
  const key = (item: Value) => comparable(by(item), isExact);
  const groups: Value[][] = [];
  for (const item of sorted(itemsOf(value), key, false)) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && isEqual(key(last[0]), key(item))) last.push(item);
    else groups.push([item]);
  }
  return groups.map((items) => Tuple.from<Value>([by(items[0] ?? null), items]));
};

export const unique: Filter = (value, [isExact, path], { member }) => {
  const items = itemsOf(value);
  const keys = items.map((item) => comparable(looked(member, path)(item), isExact));
  return items.filter((_, at) => {
    const key = keys[at] ?? null;
    return keys.findIndex((other) => isEqual(other, key)) === at;
  });
};

export const extreme =
  (sign: number): Filter =>
  (value, [isExact, path], { member }) => {
    const by = (item: Value) => comparable(looked(member, path)(item), isExact);
    const items = itemsOf(value);
    return items.reduce<Value>(
      (best, item) => (sign * compare(by(item), by(best)) > 0 ? item : best),
      orUndefined(items[0]),
    );
  };

export const join: Filter = (value, [separator, path], { member }) =>
  joinTexts(itemsOf(value).map(looked(member, path)).map(str), str(separator ?? ''));

export const sum: Filter = (value, [path, start = 0], { member }) =>
  itemsOf(value)
    .map(looked(member, path))
    .reduce((whole, item) => operate('+', whole, item), start);

export const batch: Filter = (value, [size, filler]) => {
  const [items, count] = [itemsOf(value), Math.max(1, numberOf(size ?? 1) ?? 1)];
  return Array.from({ length: Math.ceil(items.length / count) }, (_, row) => {
    const part = items.slice(row * count, (row + 1) * count);
    const missing = filler === undefined || filler === null ? 0 : count - part.length;
    takeSteps(missing);
    return [...part, ...Array<Value>(missing).fill(filler ?? null)];
  });
};

/** Jinja's `value | slice(slices, filler)`: the first slices have one item more if the items are not enough for all. */
export const slice: Filter = (value, [slices, filler]) => {
  const [items, count] = [itemsOf(value), Math.max(1, numberOf(slices ?? 1) ?? 1)];
  takeSteps(count);
  const [each, longer] = [Math.floor(items.length / count), items.length % count];
  return Array.from({ length: count }, (_, at) => {
    const from = at * each + Math.min(at, longer);
    const part = items.slice(from, from + each + (at < longer ? 1 : 0));
    const isFilled = filler !== undefined && filler !== null && at >= longer;
    return isFilled ? [...part, filler] : part;
  });
};
