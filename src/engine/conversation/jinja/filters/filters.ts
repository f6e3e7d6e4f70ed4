import { TemplateFault } from '../limits/faults.ts';
import { number, round, whole } from './number-filters.ts';
import { joinTexts, repeatText, splitText } from '../values/built-texts.ts';
import { takeItems, takeSteps, takeText } from '../limits/render-limits.ts';
import { capitalize, replace, strip } from '../values/methods.ts';
import { format } from '../values/operators.ts';
import { AS_TUPLE, FAILED_TEST, TEST } from '../syntax/parse.ts';
import { passes } from './tests.ts';
import { dumps, str } from '../values/text.ts';
import {
  argument,
  compare,
  Float,
  isEqual,
  isTrue,
  itemsOf,
  lengthOf,
  numberOf,
  orUndefined,
  Tuple,
  typeName,
  Undefined,
  type Arguments,
  type Value,
} from '../values/values.ts';

type Filter = (value: Value, args: Value[], named: Arguments, member: Member) => Value;

/** Jinja's `environment.getitem`. */
export type Member = (value: Value, name: Value) => Value;

/** An attribute such as `function.name`. */
function attribute(member: Member, value: Value, path: Value): Value {
  if (typeof path === 'string') takeItems(path.length);
  const parts: Value[] =
    typeof path === 'string'
      ? path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
      : [path];
  return parts.reduce(member, value);
}

function chosen(isWanted: boolean, hasAttribute: boolean): Filter {
  return (value, args, _, member) => {
    const [path = '', test, ...rest] = hasAttribute ? args : ['', ...args];
    return (isTrue(value) ? itemsOf(value) : []).filter((item) => {
      const its = hasAttribute ? attribute(member, item, path) : item;
      return (test === undefined ? isTrue(its) : passes(str(test), its, rest)) === isWanted;
    });
  };
}

function sorted(value: Value, by: (item: Value) => Value, named: Arguments): Value[] {
  const isExact = isTrue(named.get('case_sensitive') ?? false);
  const key = (item: Value) => {
    const its = by(item);
    if (typeof its !== 'string' || isExact) return its;
    takeText(its.length);
    return its.toLowerCase();
  };
  const list = itemsOf(value).toSorted((a, b) => compare(key(a), key(b)));
  return isTrue(named.get('reverse') ?? false) ? list.toReversed() : list;
}

const sort: Filter = (value, args, named, member) => {
  const path = named.get('attribute');
  const all = new Map(named);
  if (args[0] !== undefined) all.set('reverse', args[0]);
  return sorted(value, (item) => (path === undefined ? item : attribute(member, item, path)), all);
};

const map: Filter = (value, args, named, member) => {
  const path = named.get('attribute');
  if (path === undefined) {
    const [name = '', ...rest] = args;
    return (isTrue(value) ? itemsOf(value) : []).map((item) =>
      filtered(str(name), item, rest, named, member),
    );
  }
  const other = named.get('default');
  return itemsOf(value).map((item) => {
    const its = attribute(member, item, path);
    return its instanceof Undefined && other !== undefined ? other : its;
  });
};

const join: Filter = (value, args, named, member) => {
  const path = argument(args, named, 1, 'attribute');
  const items = itemsOf(value).map((item) =>
    path === undefined ? item : attribute(member, item, path),
  );
  return joinTexts(items.map(str), str(args[0] ?? named.get('d') ?? ''));
};

const tojson: Filter = (value, args, named) => {
  const indent = argument(args, named, 1, 'indent') ?? null;
  const separators = named.get('separators');
  const [item = ', ', key = ': '] =
    separators === undefined || separators === null ? [] : itemsOf(separators).map(str);
  return dumps(value, {
    ...(indent !== null && {
      indent: typeof indent === 'string' ? indent : repeatText(' ', numberOf(indent) ?? 0),
    }),
    ...(separators !== undefined && separators !== null && { separators: [item, key] }),
    ensureAscii: isTrue(argument(args, named, 0, 'ensure_ascii') ?? false),
    sortKeys: isTrue(named.get('sort_keys') ?? false),
  });
};

const indent: Filter = (value, args, named) => {
  const width = argument(args, named, 0, 'width') ?? 4;
  const space = typeof width === 'string' ? width : repeatText(' ', numberOf(width) ?? 4);
  const [first, blank] = [
    argument(args, named, 1, 'first') ?? false,
    argument(args, named, 2, 'blank') ?? false,
  ];
  const lines = splitText(str(value), '\n').map((line, at) =>
    at > 0 && (line !== '' || isTrue(blank)) ? space + line : line,
  );
  return (isTrue(first) ? space : '') + joinTexts(lines, '\n');
};

const dictsort: Filter = (value, args, named) => {
  if (!(value instanceof Map)) throw new TemplateFault(`'${typeName(value)}' object is not a dict`);
  const place = str(named.get('by') ?? args[1] ?? 'key') === 'key' ? 0 : 1;
  const pairs: Value[] = [...value].map((pair) => Tuple.from(pair));
  return sorted(pairs, (pair) => itemsOf(pair)[place] ?? null, named);
};

const groupby: Filter = (value, args, named, member) => {
  const path = argument(args, named, 0, 'attribute') ?? '';
  const by = (item: Value) => attribute(member, item, path);
  const groups: [Value, Value[]][] = [];
  for (const item of sorted(value, by, named)) {
    const last = groups.at(-1);
    if (last && isEqual(last[0], by(item))) last[1].push(item);
    else groups.push([by(item), [item]]);
  }
  return groups.map(([key, items]) => Tuple.from<Value>([key, items]));
};

function unique(items: Value[]): Value[] {
  return items.filter((item, at) => items.findIndex((other) => isEqual(other, item)) === at);
}

const extreme =
  (sign: number): Filter =>
  (value, args, named, member) => {
    const path = argument(args, named, 0, 'attribute');
    const by = (item: Value) => (path === undefined ? item : attribute(member, item, path));
    const items = itemsOf(value);
    return items.reduce<Value>(
      (best, item) => (sign * compare(by(item), by(best)) > 0 ? item : best),
      orUndefined(items[0]),
    );
  };

const first: Filter = (value) => orUndefined(itemsOf(value)[0]);

const orDefault: Filter = (value, args, named) => {
  const isMissing = isTrue(argument(args, named, 1, 'boolean') ?? false)
    ? !isTrue(value)
    : value instanceof Undefined;
  const other = argument(args, named, 0, 'default_value');
  return isMissing ? (other === undefined ? '' : other) : value;
};

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};
const escape: Filter = (value) => {
  const text = str(value);
  takeItems(text.length);
  return text.replaceAll(/[&<>'"]/g, (char) => ESCAPES[char] ?? char);
};

const FILTERS: Record<string, Filter> = {
  abs: (value) =>
    value instanceof Float ? new Float(Math.abs(value.value)) : Math.abs(number(value)),
  attr: (value, [name = ''], _, member) => member(value, name),
  capitalize: (value) => capitalize(str(value)),
  count: (value) => lengthOf(value),
  length: (value) => lengthOf(value),
  d: orDefault,
  default: orDefault,
  dictsort,
  e: escape,
  escape,
  first,
  float: (value, [other = new Float(0)]) => {
    const its = typeof value === 'string' ? Number.parseFloat(value) : numberOf(value);
    return its === undefined || Number.isNaN(its) ? other : new Float(its);
  },
  format: (value, args) => format(str(value), args),
  groupby,
  indent,
  int: (value, args, named) => whole(value, argument(args, named, 0, 'default') ?? 0),
  items: (value) => (value instanceof Map ? [...value].map((pair) => Tuple.from(pair)) : []),
  join,
  last: (value) => orUndefined(itemsOf(value).at(-1)),
  list: (value) => [...itemsOf(value)],
  lower: (value) => str(value).toLowerCase(),
  map,
  max: extreme(1),
  min: extreme(-1),
  reject: chosen(false, false),
  rejectattr: chosen(false, true),
  replace: (value, [from = '', to = '', most], named) =>
    replace(str(value), str(from), str(to), numberOf(most ?? named.get('count') ?? -1)),
  reverse: (value) => {
    const items = itemsOf(value).toReversed();
    return typeof value === 'string' ? joinTexts(items.map(str), '') : items;
  },
  round: (value, args, named) =>
    round(
      value,
      numberOf(argument(args, named, 0, 'precision') ?? 0) ?? 0,
      str(argument(args, named, 1, 'method') ?? 'common'),
    ),
  safe: str,
  select: chosen(true, false),
  selectattr: chosen(true, true),
  sort,
  string: str,
  sum: (value, args, named, member) => {
    const path = argument(args, named, 0, 'attribute');
    return itemsOf(value).reduce<number>(
      (sum, item) => sum + number(path === undefined ? item : attribute(member, item, path)),
      0,
    );
  },
  title: (value) => {
    const text = str(value);
    takeItems(text.length);
    // The filter begins words at fewer characters than the method.
    return text.replaceAll(/[^-\s({[<]+/g, capitalize);
  },
  tojson,
  [AS_TUPLE]: (value) => Tuple.from(itemsOf(value)),
  trim: (value, [chars]) => strip(str(value), chars),
  unique: (value) => unique(itemsOf(value)),
  upper: (value) => str(value).toUpperCase(),
  urlencode: (value) => encodeURIComponent(str(value)).replaceAll('%2F', '/'),
  batch: (value, [size = 1, filler]) => {
    const [items, count] = [itemsOf(value), Math.max(1, numberOf(size) ?? 1)];
    return Array.from({ length: Math.ceil(items.length / count) }, (_, row) => {
      const part = items.slice(row * count, (row + 1) * count);
      const missing = filler === undefined || filler === null ? 0 : count - part.length;
      takeSteps(missing);
      return [...part, ...Array<Value>(missing).fill(filler ?? null)];
    });
  },
  wordcount: (value) => {
    const text = str(value);
    takeItems(text.length);
    return text.match(/\w+/g)?.length ?? 0;
  },
};

/** Jinja's `value | name(args)`. @throws TemplateFault if there is no such filter */
export function filtered(
  name: string,
  value: Value,
  args: Value[],
  named: Arguments,
  member: Member,
): Value {
  for (const [begin, isWanted] of [
    [FAILED_TEST, false],
    [TEST, true],
  ] as const) {
    if (name.startsWith(begin)) return passes(name.slice(begin.length), value, args) === isWanted;
  }
  takeSteps(1);
  for (const each of [value, ...args]) if (typeof each === 'string') takeText(each.length);
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (!filter) throw new TemplateFault(`No filter named '${name}'.`);
  return filter(value, args, named, member);
}
