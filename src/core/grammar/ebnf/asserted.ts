import { EMPTY, rule, type Expression } from './expression.ts';
import type { RuleMaker } from './rule-maker.ts';

/** The rule that matches nothing but the empty text. */
const NOTHING = 'nothing';

/**
 * The item, with the assertion that up to `count` times `more` can follow, but nothing else. XGrammar takes an
 * assertion as exact if the rule is referred to once, and neither first nor last in a sequence. So it is
 * wrapped in another one.
 *
 * @param name - of a new rule, for the item itself
 */
export function asserted(
  maker: RuleMaker,
  name: string,
  item: Expression,
  more: Expression,
  count: number,
): Expression {
  maker.set(NOTHING, EMPTY);
  maker.set(name, { kind: 'followed', item, more, count });
  // Not `sequence`, which leaves out what matches only the empty text.
  return { kind: 'sequence', items: [NOTHING, name, NOTHING].map(rule) };
}
