import type { CharSet } from './char-set.ts';

/** Every character of the set leads to the state `to`. */
export interface Edge {
  set: CharSet;
  to: number;
}

export interface State {
  accepts: boolean;
  /** Edges with disjoint sets. Any other character is rejected. */
  edges: readonly Edge[];
}

/** A deterministic automaton. It starts in state 0; without states, it accepts nothing. */
export type Automaton = readonly State[];
