import { EMPTY, NEVER, oneOf, type Expression } from './ebnf/expression.ts';
import type { RuleMaker } from './ebnf/rule-maker.ts';
import { finishedGrammar } from './finished-grammar.ts';
import { newRuleMaker } from './new-rule-maker.ts';
import { textsAutomaton } from './regular/automaton.ts';
import { automatonRules, type Writing } from './regular/automaton-rules.ts';
import { patternAutomaton } from './regular/pattern-automaton.ts';
import { withPatternErrors } from './regular/pattern-errors.ts';
import { regularExpression } from './regular/pattern.ts';
import { SchemaError } from './schema/schema-error.ts';

const AS_WRITTEN: Writing = { char: oneOf, end: EMPTY };

/**
 * EBNF for the texts that a regular expression of ECMAScript matches from beginning to end.
 *
 * @throws SchemaError if `source` is not a regular expression or cannot be enforced
 */
export function patternGrammar(source: string): string {
  return withPatternErrors('', () => {
    checkSyntax(source);
    // Patterns of JSON Schema may match anywhere.
    const automaton = patternAutomaton(`^(?:${source})$`);
    return printed((maker) => automatonRules(automaton, 's', maker, AS_WRITTEN));
  });
}

/**
 * EBNF for these texts.
 *
 * @throws SchemaError if there are none or too many
 */
export function choiceGrammar(texts: readonly string[]): string {
  return printed((maker) => automatonRules(textsAutomaton(texts), 's', maker, AS_WRITTEN));
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
  return finishedGrammar(
    () => {
      const maker = newRuleMaker();
      maker.set('root', NEVER);
      maker.set('root', write(maker));
      return maker.rules;
    },
    () => new SchemaError('', 'matches no text.'),
  );
}
