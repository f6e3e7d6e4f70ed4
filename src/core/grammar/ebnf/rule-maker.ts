import { EMPTY, NEVER, rule, type Expression, type RuleReference } from './expression.ts';

/** The rule that matches nothing but the empty text. */
const NOTHING = 'nothing';

/** Makes the rules of a grammar, and names them. */
export class RuleMaker {
  readonly rules = new Map<string, Expression>();
  readonly #names = new Map<string, string>();
  readonly #short = new Map<string, string>();
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

  /** A short text for a long one, always the same for the same one. Keys are made of it. */
  shortened(key: string): string {
    const short = this.#short.get(key) ?? `#${this.#short.size}`;
    this.#short.set(key, short);
    return short;
  }

  newName(): string {
    return `r${this.rules.size}`;
  }

  set(name: string, body: Expression): void {
    this.rules.set(name, body);
    if (this.rules.size > this.#limit) throw this.#tooMany();
  }

  /**
   * An expression of which XGrammar knows in advance what may follow it.
   *
   * XGrammar 0.1 computes once which tokens a rule accepts, but only as far as the rule goes: the rest of a
   * token that runs past its end is checked while the model writes, which takes 60 ms a token with a
   * vocabulary of 49,152 if most tokens run past the end. XGrammar takes a lookahead assertion as exact if a
   * rule is referred to once, and in the middle of a sequence. So that rule is wrapped in another one.
   *
   * @param key - identifies the item
   * @param next - must match everything that can follow, at least as far as a token is likely to reach
   */
  followed(key: string, item: () => Expression, next: RuleReference): RuleReference {
    return this.define(`${key} before ${next.name}`, () => {
      const inner = this.define(`${key} directly before ${next.name}`, () => ({
        kind: 'followed',
        item: item(),
        next: next.name,
      }));
      this.rules.set(NOTHING, EMPTY);
      // Not `sequence`, which leaves out what matches only the empty text.
      return { kind: 'sequence', items: [inner, rule(NOTHING)] };
    });
  }
}
