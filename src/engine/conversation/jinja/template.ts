import { Template } from '@huggingface/jinja';
import { Interpreter } from './interpreter.ts';
import { rangeOf } from './members.ts';
import type { Node } from './nodes.ts';
import type { Limits } from './render-limits.ts';
import { Scope } from './scope.ts';
import { strftime } from './strftime.ts';
import { str } from './text.ts';
import { Callable, Namespace, Undefined, toValue, type Value } from './values.ts';

/** Thrown by a template's `raise_exception`. */
export class RaisedException extends Error {}

/** Names that a template knows without being told. */
const GLOBALS: [name: string, value: Value][] = [
  ...(['true', 'True'] as const).map((name): [string, Value] => [name, true]),
  ...(['false', 'False'] as const).map((name): [string, Value] => [name, false]),
  ...(['none', 'None'] as const).map((name): [string, Value] => [name, null]),
  ['range', new Callable(rangeOf)],
  ['dict', new Callable((_, named) => new Map(named))],
  ['namespace', new Callable(namespace)],
  ['strftime_now', new Callable(([format = '']) => strftime(new Date(), str(format)))],
  ['raise_exception', new Callable(raise)],
];

export const GLOBAL_NAMES: ReadonlySet<string> = new Set(GLOBALS.map(([name]) => name));

/** A chat template's code, with the meaning that Python's jinja2 gives it under transformers' settings. */
export class JinjaTemplate {
  readonly #body: Node[];

  /** @throws Error if the source cannot be parsed */
  constructor(source: string) {
    const body: unknown = new Template(source).parsed.body;
    this.#body = areNodes(body) ? body : [];
  }

  /** @throws RaisedException, TemplateFault, TemplateTooLong */
  render(variables: Record<string, unknown>, limits: Limits): string {
    const scope = new Scope();
    for (const [name, value] of GLOBALS) scope.set(name, value);
    for (const [name, value] of Object.entries(variables)) scope.set(name, toValue(value));
    return new Interpreter(limits).render(this.#body, new Scope(scope));
  }
}

/** The library does not export the types of its nodes. */
function areNodes(body: unknown): body is Node[] {
  return Array.isArray(body);
}

function namespace([first]: Value[], named: Map<string, Value>): Namespace {
  const given =
    first instanceof Map
      ? [...first].map(([key, value]): [string, Value] => [str(key), value])
      : [];
  return new Namespace(new Map([...given, ...named]));
}

function raise([message = new Undefined()]: Value[]): never {
  throw new RaisedException(str(message));
}
