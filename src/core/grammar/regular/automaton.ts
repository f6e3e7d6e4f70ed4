import {
  ANY_CHAR,
  contains,
  difference,
  intersection,
  sizeOf,
  union,
  type CharSet,
} from './char-set.ts';
import type { Automaton, State } from './state.ts';
import { minimised, renumbered } from './minimise.ts';

/** The automaton is too large to compile. */
export class TooComplex extends Error {}

const MAX_STATES = 4000;
/** The most prefixes of listed texts. */
const MAX_PREFIXES = 60_000;
const ALL = sizeOf(ANY_CHAR);

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
    const edge = state?.edges.find(({ set }) => contains(set, code));
    state = edge && automaton[edge.to];
  }
  return state?.accepts ?? false;
}

/** Whether every text is accepted from a state on. */
export function acceptsAnything(automaton: Automaton, index: number): boolean {
  const { accepts = false, edges = [] } = automaton[index] ?? {};
  const [only, ...more] = edges;
  return accepts && only?.to === index && more.length === 0 && sizeOf(only.set) === ALL;
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

/** Accepts what one of them accepts. */
export function unite(a: Automaton, b: Automaton): Automaton {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  return complement(intersect(complement(a), complement(b)));
}

/** Accepts exactly these texts. */
export function textsAutomaton(texts: readonly string[]): Automaton {
  return trim(trieOf(texts));
}

/** Accepts every text but these. */
export function otherTextsAutomaton(texts: readonly string[]): Automaton {
  if (texts.length === 0) return ANY_TEXT;
  const trie = trieOf(texts);
  const sink = trie.length;
  const others = trie.map(({ accepts, edges }) => ({
    accepts: !accepts,
    edges: [...edges, { set: othersOf(edges), to: sink }],
  }));
  return [...others, { accepts: true, edges: [{ set: ANY_CHAR, to: sink }] }];
}

/** Character → all others. Most states of a tree have one edge. */
const otherThan = new Map<number, CharSet>();

/** The characters that no edge of a tree's state has. */
function othersOf(edges: State['edges']): CharSet {
  const [only, ...more] = edges;
  const code = only?.set[0]?.[0];
  if (code === undefined) return ANY_CHAR;
  if (more.length > 0) return difference(ANY_CHAR, union(...edges.map(({ set }) => set)));
  const known = otherThan.get(code) ?? difference(ANY_CHAR, [[code, code]]);
  otherThan.set(code, known);
  return known;
}

/** Accepts every text. */
export const ANY_TEXT: Automaton = [{ accepts: true, edges: [{ set: ANY_CHAR, to: 0 }] }];

/** A tree: its states are the prefixes of the texts. */
function trieOf(texts: readonly string[]): Automaton {
  const nodes = [{ accepts: false, next: new Map<number, number>() }];
  for (const value of texts) {
    let node = nodes[0];
    for (const char of value) {
      const code = char.codePointAt(0) ?? 0;
      const to = node?.next.get(code) ?? nodes.length;
      if (nodes.length > MAX_PREFIXES) throw new TooComplex();
      if (to === nodes.length) nodes.push({ accepts: false, next: new Map() });
      node?.next.set(code, to);
      node = nodes[to];
    }
    if (node) node.accepts = true;
  }
  return nodes.map(({ accepts, next }) => ({
    accepts,
    edges: [...next].map(([code, to]) => ({ set: [[code, code]], to })),
  }));
}

/** Removes the states from which nothing can be accepted, and merges equivalent states. */
function trim(states: readonly State[]): Automaton {
  const useful = usefulStates(states);
  if (!useful.has(0)) return [];
  const kept = states.flatMap((_, index) => (useful.has(index) ? [index] : []));
  const ids = new Map(kept.map((old, index) => [old, index]));
  return minimised(renumbered(states, kept, ids));
}

/** The states from which something can be accepted. */
function usefulStates(states: readonly State[]): Set<number> {
  const sources = states.map((): number[] => []);
  states.forEach(({ edges }, index) => {
    for (const { to } of edges) sources[to]?.push(index);
  });
  const useful = new Set(states.flatMap((state, index) => (state.accepts ? [index] : [])));
  for (const state of useful) {
    for (const source of sources[state] ?? []) useful.add(source);
  }
  return useful;
}
