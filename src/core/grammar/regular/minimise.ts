import { keyOf, union, type CharSet } from './char-set.ts';
import type { Automaton, Edge, State } from './state.ts';

/** The most states on and behind cycles to compare. With more, it would take longer than it saves. */
const MAX_COMPARED = 500;

/**
 * The automaton with equivalent states merged. If too many are on or behind cycles, some equivalent ones stay.
 *
 * @param states - all can be reached from the first
 */
export function minimised(states: Automaton): Automaton {
  const cyclic = cyclicStates(states);
  const classes = cyclic.size > 0 && cyclic.size <= MAX_COMPARED ? compared(states, cyclic) : [];
  return merged(states, classes);
}

/** The states that are on a cycle or can be reached from one. */
function cyclicStates(states: Automaton): Set<number> {
  const entries = states.map(() => 0);
  for (const { edges } of states) {
    for (const { to } of edges) entries[to] = (entries[to] ?? 0) + 1;
  }
  const rest = new Set(states.keys());
  const free = states.flatMap((_, index) => (entries[index] === 0 ? [index] : []));
  for (const index of free) {
    rest.delete(index);
    for (const { to } of states[index]?.edges ?? []) {
      entries[to] = (entries[to] ?? 0) - 1;
      if (entries[to] === 0) free.push(to);
    }
  }
  return rest;
}

/** For each of these states, the first one that is equivalent (Moore's algorithm). */
function compared(states: Automaton, cyclic: ReadonlySet<number>): (number | undefined)[] {
  let classes: (number | undefined)[] = [];
  for (const index of cyclic) classes[index] = states[index]?.accepts ? 1 : 0;
  for (let count = 0; ;) {
    const firsts = new Map<string, number>();
    const next: (number | undefined)[] = [];
    for (const index of cyclic) {
      const key = `${classes[index]}:${signature(states[index], (to) => classes[to] ?? -1)}`;
      const first = firsts.get(key) ?? index;
      firsts.set(key, first);
      next[index] = first;
    }
    classes = next;
    if (firsts.size === count) return classes;
    count = firsts.size;
  }
}

/**
 * Merges the states of each class. Then merges the states without a class, from the last to the first, if they accept
 * alike and lead to the same states.
 */
function merged(states: Automaton, classes: readonly (number | undefined)[]): Automaton {
  const sames: number[] = [];
  const firsts = new Map<string, number>();
  const same = (index: number) => classes[index] ?? sames[index] ?? index;
  for (const index of new Set(classes)) {
    if (index !== undefined) firsts.set(signature(states[index], same), index);
  }
  for (const index of fromLast(states)) {
    if (classes[index] !== undefined) continue;
    const key = signature(states[index], same);
    sames[index] = firsts.get(key) ?? index;
    firsts.set(key, same(index));
  }
  const all = new Set(states.map((_, index) => same(index)));
  if (all.size === states.length) return states;
  // State 0 stays the first, even if a later state stands for both.
  const kept = [...new Set([same(0), ...all])];
  const places = new Map(kept.map((old, index) => [old, index]));
  const ids = new Map(states.map((_, index) => [index, places.get(same(index)) ?? 0]));
  return renumbered(states, kept, ids);
}

/** The states in depth-first postorder: except in cycles, a state comes after all states that follow it. */
function fromLast(states: Automaton): number[] {
  const order: number[] = [];
  const entered = new Set([0]);
  const stack = [{ index: 0, edge: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const to = states[top.index]?.edges[top.edge++]?.to;
    if (to === undefined) order.push(stack.pop()?.index ?? 0);
    else if (!entered.has(to)) {
      entered.add(to);
      stack.push({ index: to, edge: 0 });
    }
  }
  return order;
}

/** A key that states share if they accept alike and lead to the same classes with the same characters. */
function signature(state: State | undefined, classOf: (index: number) => number): string {
  const { accepts = false, edges = [] } = state ?? {};
  const targets = edges.map(({ to }) => classOf(to));
  const isMerged = new Set(targets).size < targets.length;
  const parts = isMerged
    ? [...unionsOf(edges, targets)].map(([to, set]) => `${to}=${keyOf(set)}`)
    : edges.map(({ set }, index) => `${targets[index]}=${keyOf(set)}`);
  return `${accepts}:${parts.sort().join('|')}`;
}

function unionsOf(edges: readonly Edge[], targets: readonly number[]): Map<number, CharSet> {
  const unions = new Map<number, CharSet>();
  edges.forEach(({ set }, index) => {
    const to = targets[index] ?? 0;
    const known = unions.get(to);
    unions.set(to, known ? union(known, set) : set);
  });
  return unions;
}

/** Keeps these states, drops edges to other states, and merges edges to the same state. */
export function renumbered(
  states: readonly State[],
  kept: readonly number[],
  ids: ReadonlyMap<number, number>,
): Automaton {
  return kept.map((old) => {
    const targets = new Map<number, CharSet>();
    for (const { set, to } of states[old]?.edges ?? []) {
      const id = ids.get(to);
      if (id === undefined) continue;
      const before = targets.get(id);
      targets.set(id, before ? union(before, set) : set);
    }
    const edges = [...targets].map(([to, set]) => ({ to, set }));
    return { accepts: states[old]?.accepts ?? false, edges };
  });
}
