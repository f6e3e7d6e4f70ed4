import type { PatternNode } from './pattern-tree.ts';

/** More places are not compared: no tokenizer's pattern has so many. */
const MAX_PLACES = 400;
/** Copies of what is repeated that are looked at, where a pattern counts them. More are taken for a loop. */
const MOST_COPIES = 3;
/** Characters of the texts on which ways are counted. */
const LONG = 2_000;
/** Between what two loops in a row visit on such a text, and what three do. */
const MOST_WAYS = 100_000_000;
/** Steps in which the patterns in use are found to be harmless, many times over. */
const MOST_STEPS = 5_000_000;

/** Characters of every category of Unicode. Patterns tell categories, and characters that they name, apart. */
const SAMPLE = Array.from(
  'aAéÉжЖßǅʰ々中אกあアे한۳09Ⅷ²_-()«».!,\'"+$^©😀/\\:;<>=@#%&*`~|{}[]\n\r\t\0 \u00a0\u3000\u0301\u20dd\u0bbe\u200d\u2028\u2029\ufeff\ue000\u0378',
);

/** The characters of a pattern that may begin and end it, and how often it may be empty. */
interface Part {
  first: number[];
  last: number[];
  isEmpty: boolean;
}

/**
 * Whether an engine that tries all ways in which a text fits the pattern may take for ever. Either the ways double with
 * each few characters, because a loop fits in two ways: `(a+)+b`. Or there are many loops in a row: `a*a*a*b`.
 */
export function hasEndlessSearch(tree: PatternNode): boolean {
  const graph = new PlaceGraph(tree);
  return graph.isAmbiguous() || graph.hasManyWays();
}

/** The places of a pattern, each for one character, and which may follow which (Glushkov's automaton). */
class PlaceGraph {
  /** For each place, whether each character of the sample fits. */
  readonly #fits: boolean[][] = [];
  /** For each place, in how many ways others follow it. */
  readonly #follow: Map<number, number>[] = [];
  readonly #sample: string[];
  /** Where a match, or what a lookaround looks at, may begin. */
  readonly #starts: number[] = [];
  #steps = 0;
  #isCountedTwice = false;

  constructor(tree: PatternNode) {
    this.#sample = [...new Set([...SAMPLE, ...literals(tree)])];
    this.#starts.push(...this.#part(tree).first);
  }

  /** Whether the ways in which a text fits grow in number as the cube of its length, or faster. */
  hasManyWays(): boolean {
    return this.#sample.some((_, character) => this.#waysOf(character) > MOST_WAYS);
  }

  /** How many places are visited if a text of one character, many times, is searched from its beginning. */
  #waysOf(character: number): number {
    let visited = 0;
    let ways = new Map(this.#starts.map((place) => [place, 1]));
    for (let length = 0; length < LONG && ways.size > 0; length++) {
      const next = new Map<number, number>();
      for (const [place, count] of ways) {
        if (!this.#fits[place]?.[character]) continue;
        visited += count;
        for (const [to, more] of this.#follow[place] ?? [])
          next.set(to, (next.get(to) ?? 0) + count * more);
      }
      if (visited > MOST_WAYS) break;
      ways = next;
    }
    return visited;
  }

  isAmbiguous(): boolean {
    const size = this.#fits.length;
    if (size > MAX_PLACES || this.#isCountedTwice) return true;
    const isTwice = this.#follow.some((next, place) =>
      [...next].some(([to, ways]) => ways > 1 && this.#reaches(to, place)),
    );
    if (isTwice) return true;
    // A loop from a place to itself that may go through two different places at the same character.
    for (let place = 0; place < size; place++) {
      const start = place * size + place;
      const reached = this.#pairsFrom(start);
      for (const pair of reached) {
        const isSplit = Math.floor(pair / size) !== pair % size;
        if (isSplit && this.#pairsFrom(pair).has(start)) return true;
        if (this.#steps > MOST_STEPS) return true;
      }
    }
    return false;
  }

  #part(node: PatternNode): Part {
    switch (node.kind) {
      case 'character':
        return this.#place(node.source);
      case 'sequence':
        return node.items
          .map((item) => this.#part(item))
          .reduce((before, after) => this.#joined(before, after), nothing());
      case 'alternatives': {
        const parts = node.items.map((item) => this.#part(item));
        return {
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
          isEmpty: parts.some(({ isEmpty }) => isEmpty),
        };
      }
      case 'repetition':
        return this.#repeated(node);
      case 'lookaround':
        this.#starts.push(...this.#part(node.item).first);
        return nothing();
    }
  }

  #repeated({ item, least, most }: Extract<PatternNode, { kind: 'repetition' }>): Part {
    const isLoop = most > MOST_COPIES;
    const count = Math.min(MOST_COPIES, isLoop ? Math.max(1, least) : most);
    let whole = nothing();
    for (let copy = 0; copy < count; copy++) {
      const part = this.#part(item);
      // Any of many copies may be the empty ones: `(a?){50}`.
      if (part.isEmpty && least > MOST_COPIES) this.#isCountedTwice = true;
      if (isLoop && copy === count - 1) this.#link(part.last, part.first);
      const isEmpty = part.isEmpty || copy >= least;
      whole = this.#joined(whole, { ...part, isEmpty });
    }
    return whole;
  }

  #place(source: string): Part {
    const fits = this.#sample.map(() => false);
    try {
      const pattern = new RegExp(`^(?:${source})$`, source === '.' ? 'su' : 'u');
      this.#sample.forEach((each, at) => (fits[at] = pattern.test(each)));
    } catch {
      // The escape is of another dialect: it may be any character.
      fits.fill(true);
    }
    const place = this.#fits.push(fits) - 1;
    this.#follow.push(new Map());
    return { first: [place], last: [place], isEmpty: false };
  }

  #joined(before: Part, after: Part): Part {
    this.#link(before.last, after.first);
    return {
      first: before.isEmpty ? [...before.first, ...after.first] : before.first,
      last: after.isEmpty ? [...before.last, ...after.last] : after.last,
      isEmpty: before.isEmpty && after.isEmpty,
    };
  }

  #link(from: readonly number[], to: readonly number[]): void {
    for (const place of from) {
      const next = this.#follow[place];
      for (const each of to) next?.set(each, (next.get(each) ?? 0) + 1);
    }
  }

  #reaches(from: number, to: number): boolean {
    return closure(from, (place) => [...(this.#follow[place]?.keys() ?? [])]).has(to);
  }

  readonly #pairs = new Map<number, ReadonlySet<number>>();

  /** The pairs of places that one text may lead to from a pair, at the same time. */
  #pairsFrom(pair: number): ReadonlySet<number> {
    const known = this.#pairs.get(pair);
    if (known) return known;
    const found = closure(pair, (each) => this.#nextPairs(each));
    this.#pairs.set(pair, found);
    return found;
  }

  #nextPairs(pair: number): number[] {
    const size = this.#fits.length;
    const [a, b] = [Math.floor(pair / size), pair % size];
    const next: number[] = [];
    if (this.#steps > MOST_STEPS) return next;
    for (const one of this.#follow[a]?.keys() ?? []) {
      for (const other of this.#follow[b]?.keys() ?? []) {
        this.#steps++;
        if (this.#overlap(one, other)) next.push(one * size + other);
      }
    }
    return next;
  }

  #overlap(a: number, b: number): boolean {
    return a === b || (this.#fits[a]?.some((fits, at) => fits && this.#fits[b]?.[at]) ?? false);
  }
}

function nothing(): Part {
  return { first: [], last: [], isEmpty: true };
}

/** All that can be reached in one step or more. */
function closure(start: number, next: (from: number) => number[]): Set<number> {
  const found = new Set<number>();
  const open = [start];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const to of next(from)) {
      if (found.has(to)) continue;
      found.add(to);
      open.push(to);
    }
  }
  return found;
}

/** The characters that a pattern names. */
function literals(node: PatternNode): string[] {
  if (node.kind === 'character') return Array.from(node.source);
  return 'item' in node ? literals(node.item) : node.items.flatMap(literals);
}
