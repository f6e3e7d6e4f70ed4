import { TemplateFault } from '../limits/faults.ts';
import { charactersOf } from './built-texts.ts';
import { formatted } from './formatting.ts';
import { takeItems } from '../limits/render-limits.ts';
import { methodOf } from './methods.ts';
import { str } from './text.ts';
import {
  Callable,
  isEqual,
  Loop,
  Namespace,
  numberOf,
  orUndefined,
  Tuple,
  typeName,
  Undefined,
  type Found,
  type Value,
} from './values.ts';

/**
 * Jinja's `whole.name` and `whole[name]`: the first looks for a method first, the second for an item.
 *
 * @throws TemplateFault for a member of what is undefined
 */
export function memberOf(whole: Value, name: Value, kind: 'attribute' | 'item'): Value {
  if (whole instanceof Undefined) throw new TemplateFault(`'${whole.name}' is undefined`);
  const method = typeof name === 'string' ? attributeOf(whole, name) : undefined;
  const item = itemOf(whole, name);
  const [first, second] = kind === 'attribute' ? [method, item] : [item, method];
  const found = first === undefined ? second : first;
  return orUndefined(found, typeof name === 'string' ? name : typeName(whole));
}

function attributeOf(whole: Value, name: string): Found {
  if (whole instanceof Loop) return loopMember(whole, name);
  if (typeof whole === 'string' && name === 'format')
    return new Callable((args, named) => formatted(whole, args, named, memberOf));
  return whole instanceof Namespace ? whole.members.get(name) : methodOf(whole, name);
}

function itemOf(whole: Value, name: Value): Found {
  if (whole instanceof Map) return whole.get(name);
  const index = typeof name === 'number' ? name : undefined;
  if (index === undefined) return undefined;
  if (Array.isArray(whole)) return whole.at(index);
  return typeof whole === 'string' ? charactersOf(whole).at(index) : undefined;
}

function loopMember({ run, index }: Loop, name: string): Found {
  const { items, depth } = run;
  const left = items.length - index;
  switch (name) {
    case 'index':
      return index + 1;
    case 'index0':
      return index;
    case 'revindex':
      return left;
    case 'revindex0':
      return left - 1;
    case 'first':
      return index === 0;
    case 'last':
      return left === 1;
    case 'length':
      return items.length;
    case 'previtem':
      return items[index - 1];
    case 'nextitem':
      return items[index + 1];
    case 'depth':
      return depth + 1;
    case 'depth0':
      return depth;
    case 'changed':
      return new Callable((args) => {
        const hasChanged = run.asked === undefined || !isEqual(run.asked, args);
        run.asked = args;
        return hasChanged;
      });
    case 'cycle':
      return new Callable((args) => orUndefined(args[index % args.length]));
    default:
      return undefined;
  }
}

/** Python's `whole[start:stop:step]`. */
export function sliceOf(
  whole: Value,
  start: number | undefined,
  stop: number | undefined,
  step = 1,
): Value {
  if (whole instanceof Undefined) throw new TemplateFault(`'${whole.name}' is undefined`);
  const isText = typeof whole === 'string';
  if (!isText && !Array.isArray(whole))
    throw new TemplateFault(`'${typeName(whole)}' object cannot be sliced`);
  const items: ArrayLike<Value> = isText ? charactersOf(whole) : whole;
  const { length } = items;
  const place = (at: number, low: number, high: number) =>
    Math.min(Math.max(at < 0 ? at + length : at, low), high);
  if (typeof items === 'string' && step === 1) {
    return items.slice(place(start ?? 0, 0, length), place(stop ?? length, 0, length));
  }
  takeItems(length);
  const taken: Value[] = [];
  if (step > 0) {
    const end = stop === undefined ? length : place(stop, 0, length);
    for (let at = start === undefined ? 0 : place(start, 0, length); at < end; at += step)
      taken.push(items[at] ?? null);
  } else if (step < 0) {
    const end = stop === undefined ? -1 : place(stop, -1, length - 1);
    for (
      let at = start === undefined ? length - 1 : place(start, -1, length - 1);
      at > end;
      at += step
    )
      taken.push(items[at] ?? null);
  }
  if (isText) return taken.map(str).join('');
  return whole instanceof Tuple ? Tuple.from(taken) : taken;
}

/** The most numbers that `range` gives, as in jinja2's sandbox. */
const LONGEST_RANGE = 100_000;

/** Python's `range(...)`. */
export function rangeOf(args: readonly Value[]): Value[] {
  const [a = 0, b, c = 1] = args.map((arg) => numberOf(arg) ?? 0);
  const [from, to] = b === undefined ? [0, a] : [a, b];
  const length = c === 0 ? 0 : Math.max(0, Math.ceil((to - from) / c));
  if (length > LONGEST_RANGE)
    throw new TemplateFault(`Range too big. The longest has ${LONGEST_RANGE} numbers.`);
  takeItems(length);
  return Array.from({ length }, (_, index) => from + index * c);
}
