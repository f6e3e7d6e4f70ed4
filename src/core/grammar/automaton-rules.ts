import type { Automaton } from './automaton.ts';
import { ASCII, difference, intersection, sizeOf, type CharSet } from './char-set.ts';
import { choice, NEVER, oneOf, rule, sequence, text, type Expression } from './expression.ts';
import { expressionAutomaton } from './pattern-automaton.ts';

/** How an automaton's texts are written. */
interface Writing {
  /** Matches any character of a set. */
  char: (set: CharSet) => Expression;
  /** Matches the end of a text. */
  end: Expression;
}

/**
 * Rules for the texts that an automaton accepts, one for each state. Their form is due to XGrammar 0.1:
 *
 * - It sometimes merges what follows alternatives that begin alike. No two alternatives here begin alike.
 * - It computes once, in advance, which tokens a rule accepts, but only for tokens that do not run past
 *   the end of the rule. So each alternative is one character and the rule of the next state, and rules
 *   end only where the text ends. Rules that end after each character cost 60 ms a token with a vocabulary
 *   of 49,152, instead of 0.02 ms.
 *
 * @param name - prefix of the rules' names
 */
export function automatonRules(
  automaton: Automaton,
  name: string,
  { char, end }: Writing,
): { start: Expression; rules: Map<string, Expression> } {
  const stateRule = (index: number) => rule(`${name}_${index}`);
  /** What follows in a state. A chain of single characters needs no rules in between. */
  const following = (index: number): Expression => {
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
    choice(
      ...edges.flatMap(({ set, to }) =>
        alternatives(char(set)).map((one) => sequence(one, following(to))),
      ),
      accepts ? end : NEVER,
    ),
  );
  const rules = new Map(bodies.map((body, index) => [`${name}_${index}`, body]));
  return { start: automaton.length > 0 ? stateRule(0) : NEVER, rules };
}

/** The alternatives of an expression as they are printed: a set becomes one of ASCII and one beyond. */
function alternatives(expression: Expression): readonly Expression[] {
  if (expression.kind === 'choice') return expression.items.flatMap(alternatives);
  if (expression.kind !== 'set') return [expression];
  const { set } = expression;
  const parts = [intersection(set, ASCII), difference(set, ASCII)];
  return parts.filter((part) => part.length > 0).map(oneOf);
}

/** Rules for an expression that refers to no rules, so that no two alternatives begin alike. */
export function regularRules(expression: Expression, name: string) {
  return automatonRules(expressionAutomaton(expression), name, { char: oneOf, end: text('') });
}
