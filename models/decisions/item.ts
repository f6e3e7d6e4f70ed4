import * as v from 'valibot';
import type { Draw } from './draw.ts';

/** A possible answer: a choice, or the level of a score. */
export const optionSchema = v.object({
  name: v.string(),
  description: v.exactOptional(v.string()),
});

export type Option = v.InferOutput<typeof optionSchema>;

/** A question with its right answer. */
export const itemSchema = v.object({
  /** Unique, e.g. `choice team 7`. */
  id: v.string(),
  type: v.picklist(['predicate', 'choice', 'score']),
  /** Name of the rule that made it. */
  family: v.string(),
  /** What it is used for: calibrations are fitted on one half and measured on the other. */
  half: v.picklist(['fit', 'measure']),
  input: v.string(),
  instructions: v.string(),
  /** In the order in which the question lists them; a predicate has none. */
  options: v.array(optionSchema),
  /** Place of the right answer. For a predicate, 0 is true and 1 is false. */
  right: v.number(),
});

export type Item = v.InferOutput<typeof itemSchema>;

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
