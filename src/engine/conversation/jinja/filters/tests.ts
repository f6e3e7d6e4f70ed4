import { TemplateFault } from '../limits/faults.ts';
import { takeSteps, takeText } from '../limits/render-limits.ts';
import { contains, operate } from '../values/operators.ts';
import { Callable, Float, isTrue, Namespace, Undefined, type Value } from '../values/values.ts';

type Test = (value: Value, args: Value[]) => boolean;

const by =
  (operator: string): Test =>
  (value, [other = null]) =>
    isTrue(operate(operator, value, other));

const isNumber = (value: Value) =>
  value instanceof Float || typeof value === 'number' || typeof value === 'bigint';
const isIterable = (value: Value) =>
  typeof value === 'string' ||
  Array.isArray(value) ||
  value instanceof Map ||
  value instanceof Undefined;

/** Whether a text has letters, and all of them are of one case. */
function isCased(value: Value, change: (text: string) => string): boolean {
  if (typeof value !== 'string') return false;
  return value === change(value) && value.toLowerCase() !== value.toUpperCase();
}

const TESTS: Record<string, Test> = {
  defined: (value) => !(value instanceof Undefined),
  undefined: (value) => value instanceof Undefined,
  none: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  true: (value) => value === true,
  false: (value) => value === false,
  string: (value) => typeof value === 'string',
  number: (value) => isNumber(value) || typeof value === 'boolean',
  integer: (value) => isNumber(value) && !(value instanceof Float),
  float: (value) => value instanceof Float,
  mapping: (value) => value instanceof Map,
  iterable: isIterable,
  sequence: isIterable,
  callable: (value) => value instanceof Callable,
  odd: (value) => isTrue(operate('%', value, 2)),
  even: (value) => !isTrue(operate('%', value, 2)),
  divisibleby: (value, [other = 1]) => !isTrue(operate('%', value, other)),
  lower: (value) => isCased(value, (text) => text.toLowerCase()),
  upper: (value) => isCased(value, (text) => text.toUpperCase()),
  test: (value) => typeof value === 'string' && Object.hasOwn(TESTS, value),
  sameas: (value, [other]) => value === other,
  in: (value, [whole = null]) => contains(whole, value),
  namespace: (value) => value instanceof Namespace,
  escaped: () => false,
  ...Object.fromEntries(
    [
      ['eq', '=='],
      ['equalto', '=='],
      ['==', '=='],
      ['ne', '!='],
      ['!=', '!='],
      ['lt', '<'],
      ['lessthan', '<'],
      ['<', '<'],
      ['gt', '>'],
      ['greaterthan', '>'],
      ['>', '>'],
      ['le', '<='],
      ['<=', '<='],
      ['ge', '>='],
      ['>=', '>='],
    ].map(([name = '', operator = '']) => [name, by(operator)]),
  ),
};

/** Jinja's `value is name(args)`. @throws TemplateFault if there is no such test */
export function passes(name: string, value: Value, args: Value[] = []): boolean {
  takeSteps(1);
  if (typeof value === 'string') takeText(value.length);
  const test = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined;
  if (!test) throw new TemplateFault(`No test named '${name}'.`);
  return test(value, args);
}
