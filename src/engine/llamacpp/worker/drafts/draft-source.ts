import type { DraftKind } from '../../../../core/operations/drafts.ts';

/** The tokens that an answer is written after. */
export interface WrittenTokens {
  /** The prompt and the answer so far. Tokens of an image are negative numbers. */
  readonly tokens: readonly number[];
  /** Where the answer begins. */
  readonly start: number;
}

/** A token that a source expects. */
export interface Guess {
  token: number;
  /** How good the reason is: an index of the source's `trust`. */
  grade: number;
}

/** Something that tells which tokens probably come next. */
export interface DraftSource {
  readonly kind: DraftKind;
  /** For each grade, how often a guess is right before any was tried, 0 to 1. */
  readonly trust: readonly number[];
  /** @returns tokens that come one after the other; none if it has no guess */
  guess(written: WrittenTokens): readonly Guess[];
}
