import { alternatives } from '../ebnf/alternatives.ts';
import { countedCharacters, REACH } from '../ebnf/counted-characters.ts';
import {
  choice,
  NEVER,
  oneOf,
  rule,
  sequence,
  text,
  type Expression,
  type RuleReference,
} from '../ebnf/expression.ts';

import type { RuleMaker } from '../ebnf/rule-maker.ts';
import { acceptsAnything } from './automaton.ts';
import { difference, keyOf, sizeOf, type CharSet } from './char-set.ts';
import { characterGroups, commonParts } from './character-groups.ts';
import { countingRuns, stepOf } from './counting-runs.ts';
import { expressionAutomaton } from './pattern-automaton.ts';
import type { Automaton, Edge } from './state.ts';

/** How an automaton's texts are written. */
export interface Writing {
  /** Matches any character of a set. */
  char: (set: CharSet) => Expression;
  /** Matches the end of a text. */
  end: Expression;
  /** Matches any text and its end; undefined: there is no such rule. */
  anything?: RuleReference;
}

/** With fewer characters, few tokens fit, so computing which ones takes no time. */
const MANY = 16;
/** Fewer states that only count characters keep their own rules. */
const WORTHWHILE = 4;

/**
 * Rules for the texts that an automaton accepts, one for each state. Their form is due to XGrammar 0.1:
 *
 * - It sometimes merges what follows alternatives that begin alike. No two alternatives here begin alike.
 * - It computes once, in advance, which tokens a rule accepts, but only for tokens that do not run past
 *   the end of the rule. So each alternative is one character and the rule of the next state, and rules
 *   end only where the text ends. Rules that end after each character cost 60 ms a token with a vocabulary
 *   of 49,152, instead of 0.02 ms.
 * - For a state in which many tokens fit, computing that takes 10 ms. So states that only count characters,
 *   and those after which any text fits, share rules.
 *
 * @param name - prefix of the rules' names
 */
export function automatonRules(
  automaton: Automaton,
  name: string,
  maker: RuleMaker,
  writing: Writing,
): Expression {
  if (automaton.length === 0) return NEVER;
  return new AutomatonRules(automaton, name, maker, writing).all();
}

/** Rules for an expression that refers to no rules, so that no two alternatives begin alike. */
export function regularRules(expression: Expression, name: string, maker: RuleMaker): Expression {
  const writing = { char: oneOf, end: text('') };
  return automatonRules(expressionAutomaton(expression), name, maker, writing);
}

/** The number of states for which XGrammar has to compute which of many tokens fit. */
export function costlyStates(automaton: Automaton): number {
  const runs = countingRuns(automaton, MANY);
  return automaton.filter(
    ({ edges }, index) =>
      (runs[index] ?? 0) < REACH + WORTHWHILE && edges.some(({ set }) => sizeOf(set) >= MANY),
  ).length;
}

class AutomatonRules {
  readonly #automaton: Automaton;
  readonly #name: string;
  readonly #maker: RuleMaker;
  readonly #writing: Writing;
  readonly #runs: readonly number[];
  /** State → the parts of the large sets that lead to it, if several other states do. */
  readonly #entries: ReadonlyMap<number, readonly CharSet[]>;
  /** The states that rules refer to. */
  readonly #needed = new Set<number>();

  constructor(automaton: Automaton, name: string, maker: RuleMaker, writing: Writing) {
    this.#automaton = automaton;
    this.#name = name;
    this.#maker = maker;
    this.#writing = writing;
    this.#runs = countingRuns(automaton, MANY);
    this.#entries = sharedEntries(automaton);
  }

  /** Makes the rules. Returns what the automaton matches. */
  all(): Expression {
    const start = this.#following(0);
    // Making a rule can add states.
    for (const index of this.#needed) this.#maker.set(this.#rule(index).name, this.#body(index));
    return start;
  }

  /** What a state matches. */
  #body(index: number): Expression {
    const { edges = [] } = this.#automaton[index] ?? {};
    const count = (this.#runs[index] ?? 0) - REACH;
    if (count >= WORTHWHILE) return this.#counted(index, count);
    return choice(this.#exits(edges, index), this.#end(index));
  }

  /** What follows in a state. A chain of single characters needs no rules in between. */
  #following(index: number): Expression {
    const steps: Expression[] = [];
    for (let at = index; ;) {
      const { accepts = false, edges = [] } = this.#automaton[at] ?? {};
      const [only, ...more] = edges;
      if (accepts || !only || more.length > 0 || sizeOf(only.set) > 1) {
        return sequence(...steps, this.#state(at));
      }
      steps.push(this.#writing.char(only.set));
      at = only.to;
    }
  }

  #state(index: number): RuleReference {
    const { anything } = this.#writing;
    if (anything && acceptsAnything(this.#automaton, index)) return anything;
    return this.#rule(index);
  }

  #rule(index: number): RuleReference {
    this.#needed.add(index);
    return rule(`${this.#name}_${index}`);
  }

  #end(index: number): Expression {
    return this.#automaton[index]?.accepts ? this.#writing.end : NEVER;
  }

  #exits(edges: readonly Edge[], from: number): Expression {
    return choice(...edges.map((edge) => this.#exit(edge, from)));
  }

  #exit({ set, to }: Edge, from: number): Expression {
    const following = this.#following(to);
    if (following.kind === 'rule' && sizeOf(set) >= MANY && to !== from) {
      const parts = this.#parts(set, to, following);
      if (parts) return this.#shared(parts, following);
    }
    return choice(...this.#alternatives(set).map((one) => sequence(one, following)));
  }

  /** The parts of a set that other states may share; undefined if no other state leads to the same one. */
  #parts(set: CharSet, to: number, following: RuleReference): CharSet[] | undefined {
    if (following === this.#writing.anything) return characterGroups(set);
    const parts = this.#entries.get(to);
    return parts?.filter((part) => difference(part, set).length === 0);
  }

  /** Any of many characters, and then what follows. All states share the rules of the set's parts. */
  #shared(parts: readonly CharSet[], following: RuleReference): Expression {
    const rules = parts.map((part) =>
      this.#maker.define(`characters ${keyOf(part)}, then ${following.name}`, () =>
        choice(...this.#alternatives(part).map((one) => sequence(one, following))),
      ),
    );
    return choice(...rules);
  }

  #alternatives(set: CharSet): readonly Expression[] {
    return alternatives(this.#writing.char(set));
  }

  /**
   * A state that begins a run: `count` characters of a set, after which the run has `REACH` states more, or
   * fewer characters and what leaves the run.
   */
  #counted(index: number, count: number): Expression {
    const step = stepOf(this.#automaton, index, MANY);
    if (!step) return NEVER;
    const { set } = step.counting;
    const characters = { char: this.#writing.char(set), key: `character ${keyOf(set)}` };
    return countedCharacters(this.#maker, characters, {
      min: 0,
      max: count,
      next: this.#rule(this.#after(index, count)),
      exit: choice(this.#exits(step.leaving, index), this.#end(index)),
    });
  }

  /** The state at which a run is after so many characters. */
  #after(index: number, count: number): number {
    let state = index;
    for (let done = 0; done < count; done++) {
      state = stepOf(this.#automaton, state, MANY)?.counting.to ?? state;
    }
    return state;
  }
}

function sharedEntries(automaton: Automaton): Map<number, CharSet[]> {
  const entries = new Map<number, CharSet[]>();
  automaton.forEach(({ edges }, from) => {
    for (const { set, to } of edges) {
      if (to === from || sizeOf(set) < MANY) continue;
      const known = entries.get(to);
      if (known) known.push(set);
      else entries.set(to, [set]);
    }
  });
  const shared = [...entries].filter(([, sets]) => sets.length > 1);
  return new Map(shared.map(([to, sets]) => [to, commonParts(sets)]));
}
