import { characterBefore, countedCharacters, type Characters } from '../ebnf/counted-characters.ts';
import {
  choice,
  NEVER,
  oneOf,
  repeat,
  rule,
  sequence,
  text,
  type Expression,
  type RuleReference,
  alternatives,
} from '../ebnf/expression.ts';

import type { RuleMaker } from '../ebnf/rule-maker.ts';
import { acceptsAnything } from './automaton.ts';
import { ASCII, difference, keyOf, sizeOf, union, type CharSet } from './char-set.ts';
import { characterGroups, commonParts } from './character-groups.ts';
import { countingRuns, stepOf } from './counting-runs.ts';
import { expressionAutomaton } from './pattern-automaton.ts';
import { reachOf } from './reach.ts';
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

/** If fewer characters can follow, few tokens fit, so computing which ones takes no time. */
export const MANY = 16;
/** If there are fewer rules for the parts of a set, they are referred to one by one. */
const MANY_PARTS = 4;
/** If a run has fewer states that only count characters, they keep their own rules. */
const WORTHWHILE = 10;
/** If many tokens fit in more states than this, states share the rules of characters. */
const FEW_COSTLY = 10;
/**
 * How many more characters a token may have if states share the rules of characters. The last characters of a
 * limited text are written one by one: rules for tokens of other lengths would take longer to compile than all
 * others.
 */
const FARTHEST = 8;
const REACHES = [FARTHEST, 0];

/**
 * Rules for the texts that an automaton accepts, one for each state. Their form is due to XGrammar 0.1:
 *
 * - It sometimes merges the continuations of alternatives that begin alike. So no two alternatives here begin alike,
 *   except for a loop at the start of all of them.
 * - It computes once, in advance, which tokens a rule accepts, but only for tokens that do not run past
 *   the end of the rule. So each alternative is one character and the rule of the next state, and rules
 *   end only where the text ends. Rules that end after each character cost 60 ms a token with a vocabulary
 *   of 49,152, instead of 0.02 ms.
 * - For a state in which many tokens fit, computing that takes 10 ms. So states that only count characters,
 *   and those after which any text fits, share rules. If there are many others, they share the rules of their
 *   characters.
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
export function costlyStates(automaton: Automaton, runs = countingRuns(automaton, MANY)): number {
  const reached = new Set(automaton.length > 0 ? [0] : []);
  let costly = 0;
  for (const index of reached) {
    const count = runs[index] ?? 0;
    const isCounted = count >= WORTHWHILE;
    const { leaving = [] } = (isCounted && stepOf(automaton, index, MANY)) || {};
    const edges = isCounted ? leaving : (automaton[index]?.edges ?? []);
    if (isCounted) reached.add(afterRun(automaton, index, count));
    else if (edges.some(({ set }) => sizeOf(set) >= MANY)) costly++;
    for (const { to } of edges) reached.add(to);
  }
  return costly;
}

class AutomatonRules {
  readonly #automaton: Automaton;
  readonly #name: string;
  readonly #maker: RuleMaker;
  readonly #writing: Writing;
  readonly #runs: number[];
  readonly #isCostly: boolean;
  /** A set of characters → how many of them can follow in each state. */
  readonly #reach = new Map<string, number[]>();
  /** State → the parts of the large sets that lead to it, if several edges from other states do. */
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
    this.#isCostly = costlyStates(automaton, this.#runs) > FEW_COSTLY;
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
    const count = this.#runs[index] ?? 0;
    if (count >= WORTHWHILE) return this.#counted(index, count);
    return looped(choice(this.#exits(edges, index), this.#end(index)), this.#rule(index));
  }

  /** The rest of a text in a state. A chain of single characters needs no rules in between. */
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
      const one = this.#isCostly ? this.#sharedCharacter(set, to) : undefined;
      if (one) return sequence(one, following);
      const parts = this.#parts(set, to, following);
      if (parts) return this.#shared(parts, following);
    }
    return choice(...this.#alternatives(set).map((one) => sequence(one, following)));
  }

  /**
   * One of many characters, as a rule that other states share; undefined if few characters or any text can follow. The
   * rule's lookahead has the set of characters with which tokens can continue farthest.
   */
  #sharedCharacter(set: CharSet, to: number): RuleReference | undefined {
    if (this.#writing.anything && acceptsAnything(this.#automaton, to)) return undefined;
    const sets = (this.#automaton[to]?.edges ?? []).map((edge) => edge.set);
    const many = [union(...sets), ...sets].filter((each) => sizeOf(each) >= MANY);
    const all = many.map((next) => ({ next, reach: this.#reachOf(to, next) }));
    const best = all.find(({ reach }) => all.every((other) => other.reach <= reach));
    if (!best) return undefined;
    const [one, next] = [this.#characters(set), this.#characters(best.next)];
    return characterBefore(this.#maker, one, best.reach, next);
  }

  /** With how many of these characters a token may continue in a state. */
  #reachOf(index: number, set: CharSet): number {
    const key = keyOf(set);
    const reach = this.#reach.get(key) ?? reachOf(this.#automaton, set, FARTHEST);
    this.#reach.set(key, reach);
    return REACHES.find((each) => each <= (reach[index] ?? 0)) ?? 0;
  }

  #characters(set: CharSet): Characters {
    return { char: this.#writing.char(set), key: `character ${keyOf(set)}` };
  }

  /** The parts of a set that other states may share; undefined if no other state leads to `to`. */
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
    const all = choice(...rules);
    if (rules.length < MANY_PARTS) return all;
    // XGrammar takes 0.1 ms for 30 references, and names have hundreds of states with the same ones.
    return this.#maker.define(
      `any of ${parts.map(keyOf).join()}, then ${following.name}`,
      () => all,
    );
  }

  #alternatives(set: CharSet): readonly Expression[] {
    return alternatives(this.#writing.char(set));
  }

  /**
   * A state that begins a run: `count` characters of a set and the state after the run, or fewer characters and
   * what leaves the run.
   */
  #counted(index: number, count: number): Expression {
    const step = stepOf(this.#automaton, index, MANY);
    if (!step) return NEVER;
    const { set } = step.counting;
    const repeated = {
      min: 0,
      max: count,
      next: this.#rule(afterRun(this.#automaton, index, count)),
      exit: choice(this.#exits(step.leaving, index), this.#end(index)),
    };
    return countedCharacters(this.#maker, this.#characters(set), repeated, REACHES);
  }
}

/**
 * The body of a rule, with a loop for the characters in ASCII after which the rule itself follows. Without the loop,
 * the rule would refer to itself for each character, which takes XGrammar twice as long.
 */
function looped(body: Expression, self: RuleReference): Expression {
  const all = alternatives(body);
  const isLoop = (one: Expression) => isStep(one, self);
  const loop = all.find(isLoop);
  if (loop?.kind !== 'sequence') return body;
  const [characters = NEVER] = loop.items;
  return choice(
    ...all.filter((one) => one !== loop).map((one) => sequence(repeat(characters, 0), one)),
  );
}

/** Whether an expression is one of many characters in ASCII, and then the rule. */
function isStep(expression: Expression, { name }: RuleReference): boolean {
  if (expression.kind !== 'sequence') return false;
  const [first, next, ...more] = expression.items;
  if (first?.kind !== 'set' || next?.kind !== 'rule' || more.length > 0) return false;
  const isAscii = difference(first.set, ASCII).length === 0;
  return isAscii && sizeOf(first.set) >= MANY && next.name === name;
}

/** The state of a run after so many characters. */
function afterRun(automaton: Automaton, index: number, count: number): number {
  let state = index;
  for (let done = 0; done < count; done++) {
    state = stepOf(automaton, state, MANY)?.counting.to ?? state;
  }
  return state;
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
