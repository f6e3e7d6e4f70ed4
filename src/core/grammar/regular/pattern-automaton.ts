import { complement, explore, intersect, TooComplex } from './automaton.ts';
import { loopsOf, withBoundedLoops } from './bounded-loops.ts';
import { longestText } from './text-lengths.ts';
import type { Automaton } from './state.ts';
import { ANY_CHAR, charSet, charsOf, type CharSet } from './char-set.ts';
import type { Expression } from '../ebnf/expression.ts';
import { Memory } from './memory.ts';
import { parsePattern, UnsupportedPattern, type Pattern } from './pattern.ts';

interface Node {
  /** Transitions without a character; `start` and `end` only at the start and end of the text. */
  jumps: { to: number; only?: 'start' | 'end' }[];
  edges: { set: CharSet; to: number }[];
}

const MAX_NODES = 8000;
const MAX_REPEAT = 3000;
/** Characters. A longer pattern has too many nodes, and finding that out would take long. */
const MAX_PATTERN = 4000;

const ANYTHING: Pattern = {
  kind: 'repeat',
  item: { kind: 'set', set: ANY_CHAR },
  min: 0,
  max: undefined,
};

/**
 * Accepts the texts in which a pattern of JSON Schema is found: anywhere, unless it is anchored.
 *
 * @throws UnsupportedPattern, TooComplex
 */
export function patternAutomaton(source: string): Automaton {
  if (source.length > MAX_PATTERN) throw new TooComplex();
  return patternAutomata.get(source, () =>
    searchAutomaton({ kind: 'sequence', items: [ANYTHING, parsePattern(source)] }),
  );
}

/**
 * Like `patternAutomaton`, but bounds unbounded repetitions of characters. If there are no other unbounded repetitions,
 * no text is longer than `longest`.
 *
 * @throws UnsupportedPattern, TooComplex
 */
export function boundedPatternAutomaton(source: string, longest: number): Automaton {
  if (source.length > MAX_PATTERN) throw new TooComplex();
  const pattern = parsePattern(source);
  const loops = loopsOf(pattern);
  const bounded = (most: number) =>
    searchAutomaton({
      kind: 'sequence',
      items: [ANYTHING, withBoundedLoops(pattern, most)],
    });
  const most = Math.floor(longest / Math.max(1, loops));
  const first = bounded(most);
  const excess = longestText(first) - longest;
  return Number.isFinite(excess) && excess > 0 ? bounded(most - Math.ceil(excess / loops)) : first;
}

/** Automata are kept, because a schema has the same pattern in several places, and schemas share the formats. */
const patternAutomata = new Memory<Automaton>(50);

/**
 * Accepts the texts that an expression matches. The expression must not refer to rules.
 *
 * @throws TooComplex
 */
export function expressionAutomaton(expression: Expression): Automaton {
  const network = new Network();
  const final = network.node();
  network.build(asPattern(expression), 0, final);
  return network.determine(final);
}

function asPattern(expression: Expression): Pattern {
  switch (expression.kind) {
    case 'set':
      return expression;
    case 'text': {
      const chars = Array.from(expression.text, charsOf);
      return { kind: 'sequence', items: chars.map((set) => ({ kind: 'set', set })) };
    }
    case 'sequence':
    case 'choice':
      return { kind: expression.kind, items: expression.items.map(asPattern) };
    case 'repeat':
      return { ...expression, item: asPattern(expression.item) };
    case 'rule':
    case 'followed':
    case 'until':
      throw new TypeError('An expression with rules is not regular.');
  }
}

/** Accepts the texts that begin with a match of the pattern. */
function searchAutomaton(pattern: Pattern): Automaton {
  const network = new Network();
  const final = network.node();
  network.buildTail(pattern, 0, final);
  return network.determine(final);
}

class Network {
  readonly #nodes: Node[] = [{ jumps: [], edges: [] }];

  node(): number {
    if (this.#nodes.length > MAX_NODES) throw new TooComplex();
    return this.#nodes.push({ jumps: [], edges: [] }) - 1;
  }

  #jump(from: number, to: number, only?: 'start' | 'end'): void {
    this.#nodes[from]?.jumps.push({ to, ...(only && { only }) });
  }

  #edge(from: number, set: CharSet, to: number): void {
    this.#nodes[from]?.edges.push({ set, to });
  }

  /** Builds a pattern and any text after it. Only here can a pattern contain lookahead. */
  buildTail(pattern: Pattern, from: number, to: number): void {
    if (pattern.kind === 'choice') {
      for (const item of pattern.items) this.buildTail(item, from, to);
      return;
    }
    const items = flatten(pattern);
    const at = items.findIndex(hasLook);
    const [before, first, after] = [items.slice(0, at), items[at], items.slice(at + 1)];
    if (at < 0 || !first) {
      this.build({ kind: 'sequence', items: [...items, ANYTHING] }, from, to);
    } else if (first.kind === 'choice') {
      // Each branch is built with what follows it, because its lookahead sees that too.
      for (const branch of first.items) {
        this.buildTail({ kind: 'sequence', items: [...before, branch, ...after] }, from, to);
      }
    } else if (first.kind === 'repeat' && first.min === 0 && first.max === 1) {
      this.buildTail({ kind: 'sequence', items: [...before, ...after] }, from, to);
      this.buildTail({ kind: 'sequence', items: [...before, first.item, ...after] }, from, to);
    } else if (first.kind === 'look') {
      const middle = this.node();
      this.build({ kind: 'sequence', items: before }, from, middle);
      // The automaton for the rest begins at the start of the text only if nothing precedes it.
      const isStart = before.length === 0 || before.at(-1)?.kind === 'start';
      this.#embed(lookAutomaton(first, after, isStart), middle, to);
    } else {
      throw new UnsupportedPattern('repeats a lookahead');
    }
  }

  #embed(automaton: Automaton, from: number, to: number): void {
    const ids = automaton.map(() => this.node());
    automaton.forEach(({ accepts, edges }, index) => {
      const id = ids[index] ?? 0;
      for (const edge of edges) this.#edge(id, edge.set, ids[edge.to] ?? 0);
      if (accepts) this.#jump(id, to);
    });
    if (ids[0] !== undefined) this.#jump(from, ids[0]);
  }

  build(pattern: Pattern, from: number, to: number): void {
    switch (pattern.kind) {
      case 'set':
        return this.#edge(from, pattern.set, to);
      case 'start':
      case 'end':
        return this.#jump(from, to, pattern.kind);
      case 'choice':
        return pattern.items.forEach((item) => this.build(item, from, to));
      case 'sequence':
        return this.#jump(this.#chain(pattern.items, from), to);
      case 'repeat':
        return this.#repeat(pattern, from, to);
      case 'look':
        throw new UnsupportedPattern('has a lookahead in an unusual place');
    }
  }

  #chain(items: readonly Pattern[], from: number): number {
    return items.reduce((at, item) => {
      const next = this.node();
      this.build(item, at, next);
      return next;
    }, from);
  }

  #repeat(pattern: Pattern & { kind: 'repeat' }, from: number, to: number): void {
    const { item, min, max } = pattern;
    if (Math.max(min, max ?? 0) > MAX_REPEAT) {
      throw new UnsupportedPattern(`repeats more than ${MAX_REPEAT} times`);
    }
    let at = this.#chain(
      Array.from({ length: min }, () => item),
      from,
    );
    if (max === undefined) {
      const loop = this.node();
      this.#jump(at, loop);
      this.build(item, loop, loop);
      return this.#jump(loop, to);
    }
    this.#jump(at, to);
    for (let count = min; count < max; count++) {
      at = this.#chain([item], at);
      this.#jump(at, to);
    }
  }

  /** Makes the automaton deterministic by the subset construction. */
  determine(final: number): Automaton {
    const first = this.#closure([0], ['start']);
    const describe = (nodes: readonly number[]) => ({
      accepts: this.#closure(nodes, nodes === first ? ['start', 'end'] : ['end']).includes(final),
      edges: this.#edgesOf(nodes),
    });
    // `^` holds in the first set only, which makes it differ from an equal set later in the text.
    return explore(first, (nodes) => (nodes === first ? 'first' : nodes.join()), describe);
  }

  #edgesOf(nodes: readonly number[]): { set: CharSet; to: readonly number[] }[] {
    const edges = nodes.flatMap((node) => this.#nodes[node]?.edges ?? []);
    const ranges = edges.flatMap(({ set, to }) => set.map(([low, high]) => ({ low, high, to })));
    const borders = [...new Set(ranges.flatMap(({ low, high }) => [low, high + 1]))].sort(
      (a, b) => a - b,
    );
    const targets = new Map<string, { ranges: [number, number][]; nodes: number[] }>();
    borders.forEach((low, index) => {
      const reached = ranges.filter((range) => range.low <= low && low <= range.high);
      const to = [...new Set(reached.map((range) => range.to))].sort((a, b) => a - b);
      if (to.length === 0) return;
      const target = targets.get(to.join()) ?? { ranges: [], nodes: to };
      target.ranges.push([low, (borders[index + 1] ?? low + 1) - 1]);
      targets.set(to.join(), target);
    });
    return [...targets.values()].map(({ ranges: found, nodes: to }) => ({
      set: charSet(found),
      to: this.#closure(to, []),
    }));
  }

  #closure(nodes: readonly number[], at: ('start' | 'end')[]): readonly number[] {
    const found = new Set(nodes);
    for (const node of found) {
      for (const { to, only } of this.#nodes[node]?.jumps ?? []) {
        if (only === undefined || at.includes(only)) found.add(to);
      }
    }
    return [...found].sort((a, b) => a - b);
  }
}

function flatten(pattern: Pattern): Pattern[] {
  return pattern.kind === 'sequence' ? pattern.items.flatMap(flatten) : [pattern];
}

/** Accepts what may follow at a lookahead: matches of the rest that satisfy the lookahead. */
function lookAutomaton(
  look: Pattern & { kind: 'look' },
  rest: Pattern[],
  isStart: boolean,
): Automaton {
  const tail: Pattern = { kind: 'sequence', items: rest };
  if (!isStart && contains({ kind: 'choice', items: [tail, look.ahead] }, 'start')) {
    throw new UnsupportedPattern('has ^ after a lookahead');
  }
  const ahead = searchAutomaton(look.ahead);
  return intersect(searchAutomaton(tail), look.negated ? complement(ahead) : ahead);
}

function hasLook(pattern: Pattern): boolean {
  return contains(pattern, 'look');
}

function contains(pattern: Pattern, kind: Pattern['kind']): boolean {
  if (pattern.kind === kind) return true;
  switch (pattern.kind) {
    case 'sequence':
    case 'choice':
      return pattern.items.some((item) => contains(item, kind));
    case 'repeat':
      return contains(pattern.item, kind);
    case 'look':
      return contains(pattern.ahead, kind);
    case 'set':
    case 'start':
    case 'end':
      return false;
  }
}
