import type { Draw } from './draw.ts';

/** A possible answer: a choice, or the level of a score. */
export interface Option {
  name: string;
  description?: string;
}

/** A question with its right answer. */
export interface Item {
  /** Unique, e.g. `choice team 7`. */
  id: string;
  type: 'predicate' | 'choice' | 'score';
  /** Name of the rule that made it. */
  family: string;
  /** What it is used for: calibrations are fitted on one half and measured on the other. */
  half: 'fit' | 'measure';
  input: string;
  instructions: string;
  /** In the order in which the question lists them; a predicate has none. */
  options: Option[];
  /** Place of the right answer. For a predicate, 0 is true and 1 is false. */
  right: number;
}

export interface Asked {
  input: string;
  instructions: string;
}

/** A rule that makes predicates. */
export interface PredicateFamily {
  name: string;
  count: number;
  make: (draw: Draw, isTrue: boolean) => Asked;
}

/** A rule that makes choices. */
export interface ChoiceFamily {
  name: string;
  count: number;
  /** How many answers each question has. */
  options: number;
  /** @param right - which of the options is right, in the order of the returned options */
  make: (draw: Draw, right: number) => Asked & { options: Option[] };
}

/** A rule that makes scores. */
export interface ScoreFamily {
  name: string;
  count: number;
  /** The lowest first. */
  levels: Option[];
  make: (draw: Draw, level: number) => Asked;
}
