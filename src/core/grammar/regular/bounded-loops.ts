import type { Pattern } from './pattern.ts';

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

/** The pattern with an upper bound of all repetitions of characters. It matches no other texts. */
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
