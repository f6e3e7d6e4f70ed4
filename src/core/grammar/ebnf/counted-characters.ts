import { ASCII, difference } from '../regular/char-set.ts';
import {
  alternatives,
  choice,
  EMPTY,
  isNever,
  NEVER,
  rule,
  sequence,
  type Expression,
  type RuleReference,
} from './expression.ts';
import { exactly, upTo } from './repetition.ts';
import type { RuleMaker } from './rule-maker.ts';

/**
 * If a text may have at most so many more characters, there is a rule for each number of them. If it may have more, the
 * rules of this file count them.
 */
export const REACH = 6;
/** Hardly any token is longer than this, in characters. */
export const FAR_REACH = 16;
/** Hardly any token has more characters beyond ASCII. */
const REACH_BEYOND_ASCII = 8;
/** The rule that matches only the empty text. */
const NOTHING = 'nothing';

/** A set of characters. */
export interface Characters {
  /** Matches one of them. */
  char: Expression;
  /** Identifies the set. */
  key: string;
}

/** How often characters are repeated, and what follows them. */
export interface Repeated {
  min: number;
  max: number;
  /** Follows `max` characters. Matches at least as many more as the last reach, or fewer and then `exit`. */
  next: Expression;
  /** Follows fewer than `max` characters. */
  exit: Expression;
}

/**
 * From `min` to `max` characters, and what follows.
 *
 * @param reaches - how many more characters a token may have, in falling order. Each holds while so many are left.
 */
export function countedCharacters(
  maker: RuleMaker,
  characters: Characters,
  { min, max, next, exit }: Repeated,
  reaches: readonly number[],
): Expression {
  const [reach, ...nearer] = reaches;
  if (reach === undefined || max === 0) return next;
  const near = Math.min(max, reach - (nearer.at(-1) ?? reach));
  const far = max - near;
  const rest = { min: Math.max(0, min - far), max: near, next, exit };
  const following = countedCharacters(maker, characters, rest, nearer);
  if (far === 0) return following;
  const all = { min: Math.min(min, far), max: far, next: following, exit };
  return counted(maker, characters, reach, all);
}

/** Like `countedCharacters`, but for a single reach: after each of the characters, `reach` more can follow. */
function counted(
  maker: RuleMaker,
  { char, key }: Characters,
  reach: number,
  { min, max, next, exit }: Repeated,
): Expression {
  const item = characterBefore(maker, { char, key }, reach);
  const part = (count: number) => exactly(maker, item.name, item, count);
  if (min === max) return sequence(part(max), next);
  const fewer = upTo(maker, item.name, item, max - min - 1);
  return sequence(part(min), choice(sequence(part(max - min), next), sequence(fewer, exit)));
}

/**
 * One character, after which at least `reach` more can follow. They are of the set `following`; default: the same set.
 *
 * XGrammar 0.1 computes once which tokens a rule accepts, but only as far as the rule goes: the rest of a
 * token that runs past its end is checked while the model writes, which takes up to 160 ms a token with a
 * vocabulary of 49,152 if many tokens run past the end. Lookahead assertions say which tokens fit: up to
 * `reach` more characters in ASCII, or beyond. No other token runs past the end.
 */
export function characterBefore(
  maker: RuleMaker,
  one: Characters,
  reach: number,
  following = one,
): RuleReference {
  const key = one === following ? one.key : `${one.key}, then ${following.key}`;
  return maker.define(`${key} before ${reach}`, () => {
    const [ascii, beyond, others] = parts(one.char);
    const [asciiMore, beyondMore] = parts(following.char);
    const farthest = Math.min(reach, REACH_BEYOND_ASCII);
    const pairs = [
      [ascii, asciiMore, reach],
      ...(reach > 0 && !isNever(beyondMore) ? [[ascii, beyondMore, farthest] as const] : []),
      [beyond, beyondMore, farthest],
    ] as const;
    const asserted = pairs.map(([item, more, most], index) => {
      const count = isNever(more) ? 0 : most;
      const name = `${key} ${index} before ${count}`;
      return isNever(item) ? NEVER : assertion(maker, name, item, more, count);
    });
    return choice(...asserted, others);
  });
}

/** The parts of `char` that match ASCII, characters beyond ASCII, and escapes. */
function parts(char: Expression): readonly [Expression, Expression, Expression] {
  const all = alternatives(char);
  const sets = all.filter(({ kind }) => kind === 'set');
  return [
    choice(...sets.filter(isAscii)),
    choice(...sets.filter((part) => !isAscii(part))),
    choice(...all.filter(({ kind }) => kind !== 'set')),
  ];
}

function isAscii(expression: Expression): boolean {
  return expression.kind === 'set' && difference(expression.set, ASCII).length === 0;
}

/**
 * The item, with the assertion that up to `count` times `more` can follow, but nothing else. XGrammar takes an
 * assertion as exact if its rule is referred to once, and neither first nor last in a sequence. So the rule is
 * wrapped in another rule.
 */
function assertion(
  maker: RuleMaker,
  key: string,
  item: Expression,
  more: Expression,
  count: number,
): RuleReference {
  return maker.define(key, () => {
    const inner = maker.define(`${key} itself`, () => ({ kind: 'followed', item, more, count }));
    maker.rules.set(NOTHING, EMPTY);
    // Built without `sequence`, which simplifies its items: the empty rules must stay.
    return { kind: 'sequence', items: [rule(NOTHING), inner, rule(NOTHING)] };
  });
}
