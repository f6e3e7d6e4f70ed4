import type { Rules } from './ebnf/expression.ts';
import { printGrammar } from './ebnf/print-grammar.ts';
import { pruneGrammar } from './ebnf/prune-grammar.ts';
import { TooComplex } from './regular/automaton.ts';
import { SchemaError } from './schema/schema-error.ts';

/** Characters. XGrammar would take too long to compile a larger grammar. */
const MAX_GRAMMAR = 600_000;

/**
 * The EBNF of rules.
 *
 * @param makeRules - returns the rules, which need not be pruned
 * @param whyEmpty - the error if no text matches
 * @throws SchemaError if it is too large or too complex, or no text matches
 */
export function finishedGrammar(makeRules: () => Rules, whyEmpty: () => Error): string {
  try {
    const pruned = pruneGrammar(makeRules());
    if (!pruned) throw whyEmpty();
    const grammar = printGrammar(pruned);
    if (grammar.length > MAX_GRAMMAR) throw new SchemaError('', 'is too large.');
    return grammar;
  } catch (error) {
    // Deep nesting overflows the call stack, and so do calls with too many arguments.
    if (error instanceof RangeError)
      throw new SchemaError('', 'is nested too deeply or too large.');
    if (error instanceof TooComplex) throw new SchemaError('', 'is too complex.');
    throw error;
  }
}
