import { sizeOf } from './char-set.ts';
import type { Pattern } from './pattern.ts';
import type { Automaton } from './state.ts';

/** The number of repetitions of characters without an upper bound. */
export function loopsOf(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'sequence':
    case 'choice':
      return pattern.items.reduce((sum, item) => sum + loopsOf(item), 0);
    case 'repeat':
      return isLoop(pattern) ? 1 : loopsOf(pattern.item);
    case 'look':
      return loopsOf(pattern.ahead);
    case 'set':
    case 'start':
    case 'end':
      return 0;
  }
}

/** The pattern with an upper bound for all repetitions of characters. It matches some of the pattern's texts. */
export function withBoundedLoops(pattern: Pattern, most: number): Pattern {
  switch (pattern.kind) {
    case 'sequence':
    case 'choice':
      return { ...pattern, items: pattern.items.map((item) => withBoundedLoops(item, most)) };
    case 'repeat':
      return isLoop(pattern)
        ? { ...pattern, max: Math.max(pattern.min, most) }
        : { ...pattern, item: withBoundedLoops(pattern.item, most) };
    // A lookahead that matches less could allow more.
    case 'look':
    case 'set':
    case 'start':
    case 'end':
      return pattern;
  }
}

function isLoop({ item, max }: Pattern & { kind: 'repeat' }): boolean {
  return max === undefined && item.kind === 'set';
}

/**
 * Whether a repetition of characters follows another one: then counting gives each length states of its own.
 *
 * @param many - repetitions of fewer different characters do not matter
 */
export function hasLoopAfterLoop(automaton: Automaton, many: number): boolean {
  const isLooped = automaton.map(({ edges }, index) =>
    edges.some(({ set, to }) => to === index && sizeOf(set) >= many),
  );
  const after = new Set<number>();
  const add = (index: number) => {
    for (const { to } of automaton[index]?.edges ?? []) if (to !== index) after.add(to);
  };
  isLooped.forEach((is, index) => is && add(index));
  for (const index of after) {
    if (isLooped[index]) return true;
    add(index);
  }
  return false;
}
