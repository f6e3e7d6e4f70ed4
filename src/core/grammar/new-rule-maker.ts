import { RuleMaker } from './ebnf/rule-maker.ts';
import { SchemaError } from './schema/schema-error.ts';

/** XGrammar would take too long to compile more rules. */
const MAX_RULES = 20_000;

/** Makes the rules of one grammar. It throws a SchemaError if there are too many. */
export function newRuleMaker(): RuleMaker {
  return new RuleMaker(MAX_RULES, () => new SchemaError('', 'is too large.'));
}
