import { TemplateFault } from '../limits/faults.ts';
import { takeSteps, takeText } from '../limits/render-limits.ts';
import { AS_TUPLE, FAILED_TEST, TEST } from '../syntax/parse.ts';
import { joinTexts } from '../values/built-texts.ts';
import { format } from '../values/formatting.ts';
import { capitalize, centre, replace, strip } from '../values/methods.ts';
import { str } from '../values/text.ts';
import {
  Float,
  isTrue,
  itemsOf,
  lengthOf,
  numberOf,
  orUndefined,
  Tuple,
  Undefined,
  type Arguments,
  type Found,
  type Value,
} from '../values/values.ts';
import type { Filter, FilterCall, Member } from './filter.ts';
import {
  attribute,
  batch,
  dictsort,
  extreme,
  groupby,
  join,
  slice,
  sort,
  sum,
  unique,
} from './list-filters.ts';
import { filesizeformat, pprint, striptags, xmlattr } from './layout-filters.ts';
import { wordwrap } from './word-wrap.ts';
import { decimal, number, round, whole, written } from './number-filters.ts';
import { negative, operate } from '../values/operators.ts';
import { AS_NUMBER } from '../syntax/numbers.ts';
import { passes } from './tests.ts';
import { escape, indent, title, tojson, truncate, urlencode, wordcount } from './text-filters.ts';

function chosen(isWanted: boolean, hasAttribute: boolean): Filter {
  return (value, args, { member }) => {
    const [path = '', test, ...rest] = hasAttribute ? args : ['', ...args];
    return (isTrue(value) ? itemsOf(value) : []).filter((item) => {
      const its = hasAttribute ? attribute(member, item, path) : item;
      const isPassed =
        test === undefined ? isTrue(its) : passes(str(test), its, rest.filter(isGiven));
      return isPassed === isWanted;
    });
  };
}

function isGiven(found: Found): found is Value {
  return found !== undefined;
}

const map: Filter = (value, args, { named, member }) => {
  const items = isTrue(value) ? itemsOf(value) : [];
  const path = named.get('attribute');
  if (path === undefined) {
    const [name = '', ...rest] = args.filter(isGiven);
    return items.map((item) => filtered(str(name), item, rest, named, member));
  }
  const other = named.get('default');
  return items.map((item) => {
    const its = attribute(member, item, path);
    return its instanceof Undefined && other !== undefined ? other : its;
  });
};

const orDefault: Filter = (value, [other = '', isForFalse]) => {
  const isMissing = isTrue(isForFalse ?? false) ? !isTrue(value) : value instanceof Undefined;
  return isMissing ? other : value;
};

/** The parameters of filters that have some. */
const PARAMETERS: Record<string, string[]> = {
  attr: ['name'],
  filesizeformat: ['binary'],
  wordwrap: ['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'],
  xmlattr: ['autospace'],
  batch: ['linecount', 'fill_with'],
  center: ['width'],
  d: ['default_value', 'boolean'],
  default: ['default_value', 'boolean'],
  dictsort: ['case_sensitive', 'by', 'reverse'],
  float: ['default'],
  groupby: ['attribute', 'default', 'case_sensitive'],
  indent: ['width', 'first', 'blank'],
  int: ['default', 'base'],
  join: ['d', 'attribute'],
  max: ['case_sensitive', 'attribute'],
  min: ['case_sensitive', 'attribute'],
  replace: ['old', 'new', 'count'],
  round: ['precision', 'method'],
  slice: ['slices', 'fill_with'],
  sort: ['reverse', 'case_sensitive', 'attribute'],
  sum: ['attribute', 'start'],
  tojson: ['ensure_ascii', 'indent', 'separators', 'sort_keys'],
  trim: ['chars'],
  truncate: ['length', 'killwords', 'end', 'leeway'],
  unique: ['case_sensitive', 'attribute'],
};

const DEFAULT_WIDTH = 80;

/** Filters of Jinja that a chat template has no use for. */
const REFUSED = ['urlize'];

const FILTERS: Record<string, Filter> = {
  abs: (value) => {
    const isNegative = number(value) < 0;
    return isNegative ? negative(value) : operate('+', value, 0);
  },
  attr: (value, [name = ''], { member }) => member(value, name),
  batch,
  capitalize: (value) => capitalize(str(value)),
  center: (value, [width = DEFAULT_WIDTH]) => centre(str(value), numberOf(width) ?? DEFAULT_WIDTH),
  count: (value) => lengthOf(value),
  length: (value) => lengthOf(value),
  d: orDefault,
  default: orDefault,
  dictsort,
  e: escape,
  escape,
  filesizeformat,
  first: (value) => orUndefined(itemsOf(value)[0]),
  float: (value, [other = new Float(0)]) => {
    const its = typeof value === 'string' ? decimal(value) : numberOf(value);
    return its === undefined ? other : new Float(its);
  },
  forceescape: escape,
  format: (value, args, { named }) =>
    format(str(value), named.size > 0 ? new Map(named) : Tuple.from(args.filter(isGiven))),
  groupby,
  indent,
  int: (value, [other = 0, base = 10]) => whole(value, other, number(base)),
  items: (value) => (value instanceof Map ? [...value].map((pair) => Tuple.from(pair)) : []),
  join,
  last: (value) => orUndefined(itemsOf(value).at(-1)),
  list: (value) => [...itemsOf(value)],
  lower: (value) => str(value).toLowerCase(),
  map,
  max: extreme(1),
  min: extreme(-1),
  pprint,
  random: (value) => {
    const items = itemsOf(value);
    return orUndefined(items[Math.floor(Math.random() * items.length)]);
  },
  reject: chosen(false, false),
  rejectattr: chosen(false, true),
  replace: (value, [from = '', to = '', most]) =>
    replace(str(value), str(from), str(to), numberOf(most ?? -1)),
  reverse: (value) => {
    const items = itemsOf(value).toReversed();
    return typeof value === 'string' ? joinTexts(items.map(str), '') : items;
  },
  round: (value, [digits = 0, method = 'common']) => round(value, number(digits), str(method)),
  safe: str,
  select: chosen(true, false),
  selectattr: chosen(true, true),
  slice,
  sort,
  string: str,
  striptags,
  sum,
  title,
  tojson,
  [AS_NUMBER]: (value) => written(str(value)),
  [AS_TUPLE]: (value) => Tuple.from(itemsOf(value)),
  trim: (value, [chars]) => strip(str(value), chars),
  truncate,
  unique,
  upper: (value) => str(value).toUpperCase(),
  urlencode,
  wordcount,
  wordwrap,
  xmlattr,
};

/** Jinja's `name is filter`. */
export function isFilter(name: Value): boolean {
  return typeof name === 'string' && Object.hasOwn(FILTERS, name) && /^\w+$/.test(name);
}

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
  if (REFUSED.includes(name)) throw new TemplateFault(`The filter '${name}' is not supported.`);
  if (!filter) throw new TemplateFault(`No filter named '${name}'.`);
  const call: FilterCall = { named, member };
  return filter(value, inOrder(name, args, named), call);
}

/** The arguments of a filter by its parameters. */
function inOrder(name: string, args: readonly Value[], named: Arguments): readonly Found[] {
  const parameters = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
  if (!parameters) return args;
  const bound = parameters.map((each, at) => (args[at] === undefined ? named.get(each) : args[at]));
  return [...bound, ...args.slice(parameters.length)];
}
