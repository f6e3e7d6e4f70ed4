import { difference, intersection, keyOf, type CharSet } from './char-set.ts';
import type { Automaton, State } from './state.ts';

/** For each state, how many characters of a set can follow, whichever they are. More than `most` count as `most`. */
export function reachOf(automaton: Automaton, set: CharSet, most: number): number[] {
  const followers = automaton.map((state) => statesAfter(state, set));
  let reach = automaton.map(() => 0);
  for (let count = 0; count < most; count++) {
    const before = reach;
    reach = followers.map((states) => {
      let least = states.length === 0 ? -1 : most;
      for (const state of states) least = Math.min(least, before[state] ?? 0);
      return least + 1;
    });
  }
  return reach;
}

/** The states after one character of a set; empty if one of the characters cannot follow. */
function statesAfter({ edges }: State, set: CharSet): readonly number[] {
  const same = edges.find((edge) => keyOf(edge.set) === keyOf(set));
  if (same) return [same.to];
  const rest = edges.reduce((left, edge) => difference(left, edge.set), set);
  if (rest.length > 0) return [];
  return edges.flatMap((edge) => (intersection(edge.set, set).length > 0 ? [edge.to] : []));
}
