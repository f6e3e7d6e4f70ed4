import { ANY_CHAR, difference, intersection, union, type CharSet } from './char-set.ts';

/** Every character of the set leads to the state `to`. */
export interface Edge {
  set: CharSet;
  to: number;
}

export interface State {
  accepts: boolean;
  /** Their sets are disjoint. Any other character is rejected. */
  edges: readonly Edge[];
}

/** A deterministic automaton. It starts in state 0; without states, it accepts nothing. */
export type Automaton = readonly State[];

/** The automaton is too large to compile. */
export class TooComplex extends Error {}

const MAX_STATES = 4000;
/** The most states to minimise. With more, it would take longer than it saves. */
const MAX_MINIMISED = 400;

/**
 * Builds an automaton from the states that can be reached from the first. `describe` is called once for
 * each key.
 */
export function explore<S>(
  first: S,
  keyOf: (state: S) => string,
  describe: (state: S) => { accepts: boolean; edges: { set: CharSet; to: S }[] },
): Automaton {
  const ids = new Map([[keyOf(first), 0]]);
  const queue = [first];
  const states: State[] = [];
  const idOf = (state: S): number => {
    const key = keyOf(state);
    const known = ids.get(key);
    if (known !== undefined) return known;
    if (ids.size >= MAX_STATES) throw new TooComplex();
    ids.set(key, queue.push(state) - 1);
    return queue.length - 1;
  };
  for (const state of queue) {
    const { accepts, edges } = describe(state);
    states.push({ accepts, edges: edges.map(({ set, to }) => ({ set, to: idOf(to) })) });
  }
  return trim(states);
}

/** Whether the automaton accepts the text. */
export function acceptsText(automaton: Automaton, value: string): boolean {
  let state = automaton[0];
  for (const char of value) {
    const code = char.codePointAt(0) ?? 0;
    const edge = state?.edges.find(({ set }) =>
      set.some(([from, to]) => code >= from && code <= to),
    );
    state = edge && automaton[edge.to];
  }
  return state?.accepts ?? false;
}

/** Accepts what both accept. */
export function intersect(a: Automaton, b: Automaton): Automaton {
  if (a.length === 0 || b.length === 0) return [];
  const describe = ([i, j]: readonly [number, number]) => {
    const [left, right] = [a[i], b[j]];
    const edges = (left?.edges ?? []).flatMap((edge) =>
      (right?.edges ?? []).map((other): { set: CharSet; to: readonly [number, number] } => ({
        set: intersection(edge.set, other.set),
        to: [edge.to, other.to],
      })),
    );
    const accepts = (left?.accepts ?? false) && (right?.accepts ?? false);
    return { accepts, edges: edges.filter(({ set }) => set.length > 0) };
  };
  return explore<readonly [number, number]>([0, 0], String, describe);
}

/** Accepts exactly what the automaton rejects. */
export function complement(automaton: Automaton): Automaton {
  const sink = Math.max(automaton.length, 1);
  const completed = ({ accepts, edges }: State): State => {
    const rest = difference(ANY_CHAR, union(...edges.map(({ set }) => set)));
    return {
      accepts: !accepts,
      edges: [...edges, ...(rest.length > 0 ? [{ set: rest, to: sink }] : [])],
    };
  };
  const states = automaton.length > 0 ? automaton : [{ accepts: false, edges: [] }];
  return trim([...states.map(completed), { accepts: true, edges: [{ set: ANY_CHAR, to: sink }] }]);
}

/** Accepts the texts whose length is within the bounds, in characters. */
export function lengthAutomaton(min: number, max: number | undefined): Automaton {
  const last = max ?? min;
  if (last >= MAX_STATES) throw new TooComplex();
  return Array.from({ length: last + 1 }, (_, length) => ({
    accepts: length >= min,
    edges:
      length < last || max === undefined ? [{ set: ANY_CHAR, to: Math.min(length + 1, last) }] : [],
  }));
}

/** Accepts exactly these texts. */
export function textsAutomaton(texts: readonly string[]): Automaton {
  const describe = (prefix: string) => {
    const following = texts
      .filter((text) => text.startsWith(prefix) && text.length > prefix.length)
      .map((text) => text.codePointAt(prefix.length) ?? 0);
    const edges = [...new Set(following)].map((code): { set: CharSet; to: string } => ({
      set: [[code, code]],
      to: prefix + String.fromCodePoint(code),
    }));
    return { accepts: texts.includes(prefix), edges };
  };
  return explore('', (prefix) => prefix, describe);
}

/** Removes the states from which nothing can be accepted, and merges equivalent states. */
function trim(states: readonly State[]): Automaton {
  const useful = new Set(states.flatMap((state, index) => (state.accepts ? [index] : [])));
  for (let size = -1; size !== useful.size;) {
    size = useful.size;
    for (let index = states.length - 1; index >= 0; index--) {
      if (states[index]?.edges.some(({ to }) => useful.has(to))) useful.add(index);
    }
  }
  if (!useful.has(0)) return [];
  const kept = [...useful].sort((a, b) => a - b);
  const ids = new Map(kept.map((old, index) => [old, index]));
  return minimise(renumber(states, kept, ids));
}

/** Merges equivalent states. */
function minimise(states: Automaton): Automaton {
  if (states.length > MAX_MINIMISED) return states;
  let classes = states.map((state) => Number(state.accepts));
  for (let count = 0; ;) {
    const ids = new Map<string, number>();
    classes = states.map((state, index) => {
      const key = signature(state, classes[index] ?? 0, classes);
      const id = ids.get(key) ?? ids.size;
      ids.set(key, id);
      return id;
    });
    if (ids.size === count) break;
    count = ids.size;
  }
  // State 0 comes first, so its class is 0.
  const firsts = [...new Set(classes)].map((id) => classes.indexOf(id));
  return renumber(states, firsts, new Map(classes.map((id, index) => [index, id])));
}

function signature(state: State, own: number, classes: number[]): string {
  const targets = new Map<number, CharSet>();
  for (const { set, to } of state.edges) {
    const id = classes[to] ?? 0;
    targets.set(id, union(targets.get(id) ?? [], set));
  }
  const edges = [...targets].sort(([a], [b]) => a - b);
  return `${own}:${state.accepts}:${JSON.stringify(edges)}`;
}

/** Keeps these states, drops edges to other states, and merges edges to the same state. */
function renumber(
  states: readonly State[],
  kept: readonly number[],
  ids: ReadonlyMap<number, number>,
): Automaton {
  return kept.map((old) => {
    const targets = new Map<number, CharSet>();
    for (const { set, to } of states[old]?.edges ?? []) {
      const id = ids.get(to);
      if (id !== undefined) targets.set(id, union(targets.get(id) ?? [], set));
    }
    const edges = [...targets].map(([to, set]) => ({ to, set }));
    return { accepts: states[old]?.accepts ?? false, edges };
  });
}
