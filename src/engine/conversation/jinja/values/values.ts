import { characterCount, characterList } from './built-texts.ts';
import { integerOf } from './integers.ts';
import { TemplateFault } from '../limits/faults.ts';
import { takeItems, takeSteps, takeText } from '../limits/render-limits.ts';

/**
 * Python's values, as far as templates see them: None is null, an int a number or a bigint, a list an array, a dict a
 * Map. Objects of the classes below stand for the others.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Undefined
  | Namespace
  | Loop
  | Callable
  | Value[]
  | Map<Value, Value>;

/** A number that Python writes with a point. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** What an unknown name or member is. */
export class Undefined {
  readonly name: string;

  constructor(name = '') {
    this.name = name;
  }
}

export class Tuple extends Array<Value> {}

/** What `namespace()` makes: the only object whose members a template may set. */
export class Namespace {
  readonly members: Map<string, Value>;

  constructor(members: Map<string, Value>) {
    this.members = members;
  }
}

/** What all iterations of a loop share. */
export interface LoopRun {
  readonly items: readonly Value[];
  /** The number of recursive loops around it. */
  readonly depth: number;
  /** Runs the loop for other items, inside itself. */
  readonly recurse: ((items: Value) => string) | undefined;
  /** What `loop.changed` was asked last. */
  asked?: Value[];
}

/** The place of an iteration in its loop. */
export class Loop {
  readonly run: LoopRun;
  readonly index: number;

  constructor(run: LoopRun, index: number) {
    this.run = run;
    this.index = index;
  }
}

export type Arguments = Map<string, Value>;

/** A value that was found; undefined: nothing was, which is not the same as None. */
export type Found = Value | undefined;

export function orUndefined(found: Found, name = ''): Value {
  return found === undefined ? new Undefined(name) : found;
}

/** An argument by its place or its name. */
export function argument(
  args: readonly Value[],
  named: Arguments,
  index: number,
  name: string,
): Found {
  const placed = args[index];
  return placed === undefined ? named.get(name) : placed;
}

export class Callable {
  readonly call: (args: Value[], named: Arguments) => Value;

  constructor(call: (args: Value[], named: Arguments) => Value) {
    this.call = call;
  }
}

/** What a JSON value is to a template. Functions become callables of plain values. */
export function toValue(plain: unknown): Value {
  switch (typeof plain) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return plain;
    case 'number':
      return Number.isInteger(plain) ? plain : new Float(plain);
    case 'object':
      return objectValue(plain);
    default:
      return new Undefined();
  }
}

function objectValue(plain: object | null): Value {
  if (plain === null || plain instanceof Float || plain instanceof Callable) return plain;
  if (Array.isArray(plain)) return plain.map(toValue);
  return new Map(Object.entries(plain).map(([key, value]) => [key, toValue(value)]));
}

export function isTrue(value: Value): boolean {
  if (value instanceof Undefined) return false;
  if (value instanceof Float) return value.value !== 0;
  if (value instanceof Map) return value.size > 0;
  if (Array.isArray(value)) return value.length > 0;
  return Boolean(value);
}

/** A number as JavaScript has it; undefined: the value is not a number. True and False are numbers, as in Python. */
export function numberOf(value: Value): number | undefined {
  if (value instanceof Float) return value.value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : undefined;
}

/** Whether `a == b`. */
export function isEqual(a: Value, b: Value): boolean {
  takeSteps(1);
  if (a instanceof Undefined || b instanceof Undefined) {
    return a instanceof Undefined && b instanceof Undefined;
  }
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return x === y && difference(a, b) === 0;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index] ?? null));
  }
  if (a instanceof Map && b instanceof Map) {
    return (
      a.size === b.size &&
      [...a].every(([key, its]) => b.has(key) && isEqual(its, b.get(key) ?? null))
    );
  }
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) takeText(a.length);
  return a === b;
}

/** Less than 0 if the int `a` is less than the int `b`; 0 for other values. */
function difference(a: Value, b: Value): number {
  if (typeof a !== 'bigint' && typeof b !== 'bigint') return 0;
  const [x, y] = [integerOf(a), integerOf(b)];
  return x === undefined || y === undefined ? 0 : Number(x - y);
}

/** Less than 0 if `a < b`. @throws TemplateFault for values that Python does not order */
export function compare(a: Value, b: Value): number {
  takeSteps(1);
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return difference(a, b) || x - y;
  if (typeof a === 'string' && typeof b === 'string') {
    takeText(Math.min(a.length, b.length));
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    for (const [index, item] of a.entries()) {
      const other = b[index];
      if (other === undefined) return 1;
      if (!isEqual(item, other)) return compare(item, other);
    }
    return a.length - b.length;
  }
  throw new TemplateFault(`cannot compare ${typeName(a)} and ${typeName(b)}`);
}

/** The items of a list, the keys of a dict, the characters of a text. */
export function itemsOf(value: Value): Value[] {
  if (typeof value === 'string') return characterList(value);
  if (Array.isArray(value) || value instanceof Map) takeItems(lengthOf(value));
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return [...value.keys()];
  if (value instanceof Undefined) return [];
  throw new TemplateFault(`'${typeName(value)}' object is not iterable`);
}

export function lengthOf(value: Value): number {
  if (typeof value === 'string') return characterCount(value);
  if (Array.isArray(value)) return value.length;
  return value instanceof Map ? value.size : itemsOf(value).length;
}

export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Float) return 'float';
  if (value instanceof Map) return 'dict';
  if (value instanceof Tuple) return 'tuple';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Namespace) return 'Namespace';
  if (value instanceof Loop) return 'LoopContext';
  if (value instanceof Callable) return 'function';
  if (typeof value === 'string') return 'str';
  return typeof value === 'boolean' ? 'bool' : 'int';
}
