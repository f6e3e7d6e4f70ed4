import { ANY_CHAR, charsOf, difference } from './char-set.ts';
import type { Automaton } from './state.ts';

/** Accepts texts that end with the mark and have it nowhere else. */
export function untilAutomaton(mark: string): Automaton {
  const chars = Array.from(mark);
  const states = chars.map((_, matched) => {
    const edges = [...new Set(chars)]
      .map((char) => ({ set: charsOf(char), to: matchedAfter(chars, matched, char) }))
      .filter(({ to }) => to > 0);
    const others = edges.reduce((set, edge) => difference(set, edge.set), ANY_CHAR);
    return { accepts: false, edges: [...edges, { set: others, to: 0 }] };
  });
  return [...states, { accepts: true, edges: [] }];
}

/** How much of the mark a text ends with, if it ended with `matched` characters of it before this character. */
function matchedAfter(mark: readonly string[], matched: number, char: string): number {
  const ending = [...mark.slice(0, matched), char];
  for (let length = ending.length; length > 0; length--) {
    if (ending.slice(-length).join('') === mark.slice(0, length).join('')) return length;
  }
  return 0;
}
