import { choice, EMPTY, NEVER, oneOf, text, type Expression } from './ebnf/expression.ts';
import { printGrammar } from './ebnf/print-grammar.ts';
import { pruneGrammar } from './ebnf/prune-grammar.ts';
import { RuleMaker } from './ebnf/rule-maker.ts';
import { automatonRules, regularRules } from './regular/automaton-rules.ts';
import { patternAutomaton } from './regular/pattern-automaton.ts';
import { withPatternErrors } from './regular/pattern-errors.ts';
import { regularExpression } from './regular/pattern.ts';
import { SchemaError } from './schema/schema-error.ts';

const MAX_RULES = 20_000;

/**
 * EBNF for the texts that a regular expression of ECMAScript matches from beginning to end.
 *
 * @throws SchemaError if it is no regular expression or cannot be enforced
 */
export function patternGrammar(source: string): string {
  return withPatternErrors('', () => {
    checkSyntax(source);
    // Patterns of JSON Schema may match anywhere.
    const automaton = patternAutomaton(`^(?:${source})$`);
    return printed((maker) => automatonRules(automaton, 's', maker, { char: oneOf, end: EMPTY }));
  });
}

/** EBNF for these texts. */
export function choiceGrammar(texts: readonly string[]): string {
  return printed((maker) => regularRules(choice(...texts.map(text)), 's', maker));
}

function checkSyntax(source: string): void {
  try {
    regularExpression(source);
  } catch (error) {
    const why = error instanceof Error ? `: ${error.message}` : '.';
    throw new SchemaError('', `is not a regular expression${why}`);
  }
}

function printed(write: (maker: RuleMaker) => Expression): string {
  const maker = new RuleMaker(MAX_RULES, () => new SchemaError('', 'is too large.'));
  maker.set('root', NEVER);
  maker.set('root', write(maker));
  const pruned = pruneGrammar(maker.rules);
  if (!pruned) throw new SchemaError('', 'matches no text.');
  return printGrammar(pruned);
}
