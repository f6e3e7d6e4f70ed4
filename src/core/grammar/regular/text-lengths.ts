import type { Automaton } from './state.ts';

/** Characters of the shortest and the longest text that an automaton accepts. */
export function lengthsOf(automaton: Automaton): { shortest: number; longest: number } {
  return { shortest: shortestText(automaton), longest: longestText(automaton) };
}

function shortestText(automaton: Automaton): number {
  const seen = new Set([0]);
  let current = automaton.length > 0 ? [0] : [];
  for (let length = 0; current.length > 0; length++) {
    if (current.some((index) => automaton[index]?.accepts)) return length;
    const next = current.flatMap((index) => automaton[index]?.edges.map(({ to }) => to) ?? []);
    current = [...new Set(next)].filter((index) => !seen.has(index));
    for (const index of current) seen.add(index);
  }
  return Infinity;
}

/** Characters of the longest text; Infinity if there is none. */
export function longestText(automaton: Automaton): number {
  const lengths: (number | undefined)[] = [];
  const visit = (index: number): number => {
    const known = lengths[index];
    if (known !== undefined) return known;
    // A state that is reached again is on a cycle.
    lengths[index] = Infinity;
    const after = automaton[index]?.edges.map(({ to }) => visit(to) + 1) ?? [];
    const longest = Math.max(0, ...after);
    lengths[index] = longest;
    return longest;
  };
  return automaton.length > 0 ? visit(0) : 0;
}
