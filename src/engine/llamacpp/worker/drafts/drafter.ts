import type { DraftCounts, DraftKind, Drafts } from '../../../../core/operations/drafts.ts';
import type { GrammarMatcher } from '../grammar-masks.ts';
import type { Costs } from './batch-costs.ts';
import type { DraftSource, Guess } from './draft-source.ts';

/** How much one guess changes the trust in its source. */
const LEARNING = 0.15;
/** How much more than it costs a drafted token must gain: finding it and computing it has its own price. */
const MARGIN = 1.05;

/** A source, and how often its guesses were right lately, for each grade. */
interface Trusted {
  source: DraftSource;
  trust: number[];
}

/** A guess with its source. */
interface Sourced extends Guess {
  from: Trusted;
}

/** The token that is expected at a place. */
interface Expected {
  token: number;
  /** How likely it is that the token comes, 0 to 1. */
  chance: number;
  kind: DraftKind;
  /** What the sources guess for this place. */
  guesses: readonly Sourced[];
}

interface DrafterOptions {
  /** If two have the same guess, the first one is told to have made it. */
  sources: readonly DraftSource[];
  costs: Costs;
  /** The answer's place in its grammar; undefined: it has none. */
  matcher: Pick<GrammarMatcher, 'accepts' | 'rollBack'> | undefined;
  /** Tokens that end a turn: after them nothing is computed. */
  stopTokenIds: readonly number[];
}

/**
 * Chooses which tokens are computed before it is certain that they are written. One batch computes them, which is faster
 * than one after the other; then each is chosen from its logits as any token is. So the text is the same as without drafts,
 * whatever is asked for.
 */
export class Drafter {
  readonly #options: DrafterOptions;
  readonly #sources: readonly Trusted[];
  /** The prompt and the answer so far. */
  readonly #tokens: number[];
  readonly #start: number;
  /** What comes next if the sources are right. */
  #expected: Expected[] = [];
  /** How many of these are computed. */
  #computed = 0;
  #drafts: Drafts | undefined;

  /**
   * @param tokens - the prompt and the answer so far
   * @param start - where the answer begins
   */
  constructor(tokens: readonly number[], start: number, options: DrafterOptions) {
    this.#tokens = [...tokens];
    this.#start = start;
    this.#options = options;
    this.#sources = options.sources.map((source) => ({ source, trust: [...source.trust] }));
    options.costs.begin();
  }

  /** How many tokens are computed after the last one that was taken. */
  get computed(): number {
    return this.#computed;
  }

  /** The drafted tokens so far, and how many of them were written; undefined: none were drafted. */
  get drafts(): Drafts | undefined {
    return this.#drafts;
  }

  /**
   * Notes the next token of the answer.
   *
   * @returns whether it is computed already; if not, no drafted token counts any more
   */
  take(token: number): boolean {
    this.#tokens.push(token);
    const expected = this.#expected.shift();
    const isRight = expected?.token === token;
    for (const guess of expected?.guesses ?? []) learn(guess, token);
    const isComputed = isRight && this.#computed > 0;
    if (isComputed) this.#count(expected, 'accepted');
    this.#computed = isComputed ? this.#computed - 1 : 0;
    if (!isComputed) this.#expected = [];
    return isComputed;
  }

  /** Forgets what `draft` gave: it was not computed. */
  drop(): void {
    this.#computed = 0;
    this.#expected = [];
  }

  /**
   * Chooses the tokens to compute together with the last one: as many as make the answer faster, if the sources are as
   * often right as lately. One more is expected, without being computed, so that a source can regain its trust.
   *
   * @param others - how many other answers have a token in the batch: it is paid for already
   */
  draft(most: number, others = 0): readonly number[] {
    const { costs, matcher } = this.#options;
    const length = this.#tokens.length;
    const expected: Expected[] = [];
    /** What the batch gives and costs, in tokens that are computed alone. */
    const batch = { gain: 1 + others, cost: 1 + others * costs.share, chance: 1 };
    for (const next of this.#guesses()) {
      if (matcher && !matcher.accepts(next.token)) break;
      expected.push(next);
      this.#tokens.push(next.token);
      batch.chance *= next.chance;
      const isWorth = batch.chance * batch.cost > costs.share * MARGIN * batch.gain;
      if (!isWorth || this.#computed >= most) break;
      batch.gain += batch.chance;
      batch.cost += costs.share;
      this.#computed++;
      this.#count(next, 'drafted');
    }
    matcher?.rollBack(expected.length);
    this.#tokens.length = length;
    this.#expected = expected;
    return expected.slice(0, this.#computed).map(({ token }) => token);
  }

  /** The tokens that may come, each after those before it. */
  *#guesses(): Generator<Expected> {
    const { stopTokenIds } = this.#options;
    for (let next = this.#next(); next.length > 0; next = this.#next()) {
      for (const expected of next) {
        if (expected.token < 0 || stopTokenIds.includes(expected.token)) return;
        yield expected;
      }
    }
  }

  /** The guess of the source that is trusted most. */
  #next(): Expected[] {
    const written = { tokens: this.#tokens, start: this.#start };
    const all = this.#sources.map((from) =>
      from.source.guess(written).map((guess): Sourced => ({ ...guess, from })),
    );
    const guesses = all.flatMap(([first]) => first ?? []);
    const [best] = guesses.toSorted((a, b) => trustIn(b) - trustIn(a));
    if (!best) return [];
    const { from } = guesses.find(({ token }) => token === best.token) ?? best;
    const more = all.find(([first]) => first === best)?.slice(1) ?? [];
    return [expectation(best, from, guesses), ...more.map((each) => expectation(each, each.from))];
  }

  #count({ kind }: Expected, what: keyof DraftCounts): void {
    const drafts = (this.#drafts ??= {});
    const counts = (drafts[kind] ??= { drafted: 0, accepted: 0 });
    counts[what]++;
  }
}

function expectation(
  guess: Sourced,
  { source }: Trusted,
  guesses: readonly Sourced[] = [guess],
): Expected {
  return { token: guess.token, chance: trustIn(guess), kind: source.kind, guesses };
}

function trustIn({ from, grade }: Sourced): number {
  return from.trust[grade] ?? 0;
}

/** @param token - the one that came */
function learn(guess: Sourced, token: number): void {
  const { from, grade } = guess;
  from.trust[grade] = trustIn(guess) * (1 - LEARNING) + (guess.token === token ? LEARNING : 0);
}
