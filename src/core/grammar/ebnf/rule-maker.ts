import { NEVER, rule, type Expression, type RuleReference } from './expression.ts';

/** Makes the rules of a grammar, and names them. */
export class RuleMaker {
  readonly rules = new Map<string, Expression>();
  readonly #names = new Map<string, string>();
  readonly #short = new Map<string, string>();
  /** Why valid texts are left out; undefined if none are. */
  leftOut: Error | undefined;
  readonly #limit: number;
  readonly #tooMany: () => Error;

  /** @param tooMany - the error if there are more rules than `limit` */
  constructor(limit: number, tooMany: () => Error) {
    this.#limit = limit;
    this.#tooMany = tooMany;
  }

  /** The rule of a key. Calls `body` only for a new key, so that a rule can refer to itself. */
  define(key: string, body: () => Expression): RuleReference {
    const known = this.#names.get(key);
    if (known !== undefined) return rule(known);
    const name = this.newName();
    this.#names.set(key, name);
    // Inserted now, so that the rule precedes those that it refers to: see productiveRules.
    this.set(name, NEVER);
    this.set(name, body());
    return rule(name);
  }

  /** A short text that stands for a long key, for use in other keys. Equal keys get the same text. */
  shortened(key: string): string {
    const short = this.#short.get(key) ?? `#${this.#short.size}`;
    this.#short.set(key, short);
    return short;
  }

  /** Stands for texts that are left out. If no other text is left, the error says why. */
  leaveOut(why: Error): Expression {
    this.leftOut ??= why;
    return NEVER;
  }

  newName(): string {
    return `r${this.rules.size}`;
  }

  set(name: string, body: Expression): void {
    this.rules.set(name, body);
    if (this.rules.size > this.#limit) throw this.#tooMany();
  }
}
