import type { Automaton } from './automaton.ts';
import { sizeOf, type CharSet } from './char-set.ts';
import { choice, NEVER, oneOf, rule, sequence, text, type Expression } from './expression.ts';
import { expressionAutomaton } from './pattern-automaton.ts';

/** How an automaton's texts are written. */
interface Writing {
  /** What stands for any character of a set. */
  char: (set: CharSet) => Expression;
  /** What ends a text. */
  end: Expression;
}

/**
 * Rules for the texts that an automaton accepts, one for each state. xgrammar 0.1 now and then joins
 * what alternatives that begin alike go on with; these never do.
 *
 * @param name - the beginning of the rules' names
 */
export function automatonRules(
  automaton: Automaton,
  name: string,
  { char, end }: Writing,
): { start: Expression; rules: Map<string, Expression> } {
  const stateRule = (index: number) => rule(`${name}_${index}`);
  /** The only way on from a state, without a rule for each of its steps. */
  const onwards = (index: number): Expression => {
    const steps: Expression[] = [];
    for (let at = index; ;) {
      const { accepts = false, edges = [] } = automaton[at] ?? {};
      const [only, ...more] = edges;
      if (accepts || !only || more.length > 0 || sizeOf(only.set) > 1) {
        return sequence(...steps, stateRule(at));
      }
      steps.push(char(only.set));
      at = only.to;
    }
  };
  const bodies = automaton.map(({ accepts, edges }) =>
    choice(...edges.map(({ set, to }) => sequence(char(set), onwards(to))), accepts ? end : NEVER),
  );
  const rules = new Map(bodies.map((body, index) => [`${name}_${index}`, body]));
  return { start: automaton.length > 0 ? stateRule(0) : NEVER, rules };
}

/** Rules for an expression that has none itself, made so that no two alternatives begin alike. */
export function regularRules(expression: Expression, name: string) {
  return automatonRules(expressionAutomaton(expression), name, { char: oneOf, end: text('') });
}
