import { Undefined, type Value } from './values/values.ts';

/** The variables that a part of a template sees. What is set in a scope is not seen outside it. */
export class Scope {
  readonly #values = new Map<string, Value>();
  readonly #parent: Scope | undefined;

  constructor(parent?: Scope) {
    this.#parent = parent;
  }

  get(name: string): Value {
    const value = this.#values.get(name);
    if (value !== undefined) return value;
    return this.#parent ? this.#parent.get(name) : new Undefined(name);
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }
}
