import type { Automaton, Edge } from './state.ts';
import { keyOf, sizeOf } from './char-set.ts';

/** A step of a run: the edge that counts, and the edges that leave the run. */
export interface Step {
  counting: Edge;
  leaving: readonly Edge[];
}

/**
 * For each state, the number of steps that only count. All states of such a run are alike, except that the same set of
 * characters leads from each of them to the next one.
 *
 * @param many - smaller sets are not counted
 */
export function countingRuns(automaton: Automaton, many: number): number[] {
  const runs = automaton.map((): number | undefined => undefined);
  const following = nextInRuns(automaton, many);
  automaton.forEach((_, first) => {
    const way: number[] = [];
    let state = first;
    // A state that is on the way already has no number yet: it counts as an end.
    while (runs[state] === undefined) {
      runs[state] = 0;
      way.push(state);
      const next = following[state];
      if (next === undefined) break;
      state = next;
    }
    for (const one of way.reverse()) {
      const next = following[one];
      if (next !== undefined) runs[one] = (runs[next] ?? 0) + 1;
    }
  });
  return runs.map((run) => run ?? 0);
}

/** The step of a state that begins a run or continues one. */
export function stepOf(automaton: Automaton, index: number, many: number): Step | undefined {
  const { edges = [] } = automaton[index] ?? {};
  const counting = edges.find(({ set, to }) => to !== index && sizeOf(set) >= many);
  return counting && { counting, leaving: edges.filter((edge) => edge !== counting) };
}

/** For each state that begins or continues a run, the next one. */
function nextInRuns(automaton: Automaton, many: number): (number | undefined)[] {
  const steps = automaton.map((_, index) => stepOf(automaton, index, many));
  const texts = steps.map((step) => step && described(step));
  return steps.map((step, index) => {
    const to = step?.counting.to ?? index;
    const isSame =
      texts[to] === texts[index] && automaton[to]?.accepts === automaton[index]?.accepts;
    return step && isSame ? to : undefined;
  });
}

/** A key that steps share if they differ only in where the counting edge leads. */
function described({ counting, leaving }: Step): string {
  const edges = leaving.map(({ set, to }) => `${keyOf(set)}>${to}`).sort();
  return [keyOf(counting.set), ...edges].join('|');
}
