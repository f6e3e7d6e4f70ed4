import { choice, EMPTY, NEVER, repeat, sequence, type Expression } from './expression.ts';
import type { RuleMaker } from './rule-maker.ts';

/** Repetitions are counted in this base: a rule for 16, one for 256, … */
const BASE = 16;

/**
 * An item, repeated `min` to `max` times. The number of rules grows with the logarithm of the counts.
 *
 * @param key - identifies the item
 * @param item - a rule
 * @param max - undefined means unlimited
 */
export function repeated(
  maker: RuleMaker,
  key: string,
  item: Expression,
  min: number,
  max: number | undefined,
): Expression {
  if (max === undefined) return sequence(exactly(maker, key, item, min), repeat(item, 0));
  if (max < min) return NEVER;
  return sequence(exactly(maker, key, item, min), upTo(maker, key, item, max - min));
}

/** An item, repeated `count` times. */
export function exactly(
  maker: RuleMaker,
  key: string,
  item: Expression,
  count: number,
): Expression {
  if (count < BASE) return repeat(item, count, count);
  const size = powerBelow(count);
  const blocks = Math.floor(count / size);
  return sequence(
    repeat(block(maker, key, item, size), blocks, blocks),
    exactly(maker, key, item, count % size),
  );
}

/** An item, repeated up to `count` times. */
export function upTo(maker: RuleMaker, key: string, item: Expression, count: number): Expression {
  if (count === 0) return EMPTY;
  // XGrammar would make so many rules for each repetition of the item. These rules are shared.
  if (count < BASE)
    return maker.define(`${key} at most ${count}`, () =>
      choice(EMPTY, sequence(item, upTo(maker, key, item, count - 1))),
    );
  const size = powerBelow(count);
  const less = maker.define(`${key} less than ${size}`, () => upTo(maker, key, item, size - 1));
  const rest = count % size;
  /** The rest of the repetition, with at most this many more blocks. */
  const after = (blocks: number): Expression =>
    blocks === 0
      ? upTo(maker, key, item, rest)
      : maker.define(`${key} up to ${rest + blocks * size}`, () =>
          choice(less, sequence(block(maker, key, item, size), after(blocks - 1))),
        );
  return after(Math.floor(count / size));
}

function block(maker: RuleMaker, key: string, item: Expression, size: number): Expression {
  if (size === 1) return item;
  return maker.define(`${key} times ${size}`, () => {
    const part = block(maker, key, item, size / BASE);
    return repeat(part, BASE, BASE);
  });
}

/** The largest power of the base that is not above the count. */
function powerBelow(count: number): number {
  let power = 1;
  while (power * BASE <= count) power *= BASE;
  return power;
}
