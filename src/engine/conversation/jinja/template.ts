import { Interpreter } from './interpreter.ts';
import { rangeOf } from './values/members.ts';
import type { Node } from './syntax/nodes.ts';
import { parseTemplate } from './syntax/parse.ts';
import { takeSteps, withinLimits, type Limits } from './limits/render-limits.ts';
import { Scope } from './scope.ts';
import { strftime } from './strftime.ts';
import { str } from './values/text.ts';
import { Callable, itemsOf, Namespace, Undefined, toValue, type Value } from './values/values.ts';

/** Thrown by a template's `raise_exception`. */
export class RaisedException extends Error {}

/** Names that a template knows without being told. */
const GLOBALS: [name: string, value: Value][] = [
  ...(['true', 'True'] as const).map((name): [string, Value] => [name, true]),
  ...(['false', 'False'] as const).map((name): [string, Value] => [name, false]),
  ...(['none', 'None'] as const).map((name): [string, Value] => [name, null]),
  ['range', new Callable(rangeOf)],
  ['dict', new Callable(([first], named) => dictOf(first, named))],
  ['joiner', new Callable(joiner)],
  ['namespace', new Callable(namespace)],
  ['strftime_now', new Callable(([format = '']) => now(str(format)))],
  ['raise_exception', new Callable(raise)],
];

export const GLOBAL_NAMES: ReadonlySet<string> = new Set(GLOBALS.map(([name]) => name));

/** A chat template's code, with the meaning that Python's jinja2 gives it under transformers' settings. */
export class JinjaTemplate {
  readonly #body: Node[];

  /** @throws Error if the source cannot be parsed */
  constructor(source: string) {
    this.#body = parseTemplate(source);
  }

  /** @throws RaisedException, TemplateFault, TemplateTooLong */
  render(variables: Record<string, unknown>, limits: Limits): string {
    const scope = new Scope();
    for (const [name, value] of GLOBALS) scope.set(name, value);
    for (const [name, value] of Object.entries(variables)) scope.set(name, toValue(value));
    const top = new Scope(scope);
    return withinLimits(limits, () => new Interpreter(top).render(this.#body, top));
  }
}

function namespace([first]: Value[], named: Map<string, Value>): Namespace {
  const given = [...dictOf(first, named)];
  return new Namespace(new Map(given.map(([key, value]) => [str(key), value])));
}

/** Returns nothing at its first call, and the separator at all others. */
function joiner([separator = ', ']: Value[]): Callable {
  let isUsed = false;
  return new Callable(() => {
    const text = isUsed ? separator : '';
    isUsed = true;
    return text;
  });
}

function dictOf(first: Value | undefined, named: Map<string, Value>): Map<Value, Value> {
  const given =
    first instanceof Map
      ? [...first]
      : itemsOf(first ?? []).map((pair): [Value, Value] => {
          const [key = null, value = null] = itemsOf(pair);
          return [key, value];
        });
  return new Map([...given, ...named]);
}

/** Formatting a name of a day takes many steps. */
const NAME_STEPS = 500;

function now(format: string): string {
  takeSteps(NAME_STEPS * (format.split('%').length - 1));
  return strftime(new Date(), format);
}

function raise([message = new Undefined()]: Value[]): never {
  throw new RaisedException(str(message));
}
