/** One of the answers that a question allows. */
export interface DecisionOption {
  text: string;
  /** What the text means. */
  description?: string;
}

/**
 * What is asked about an input: whether a sentence is true of it, which of the options fits it, or which of the levels,
 * given from the lowest to the highest.
 */
export type DecisionQuestion =
  { type: 'predicate' } | { type: 'choice' | 'score'; options: DecisionOption[] };

/** How likely each answer to a question is. */
export interface Decision {
  /** In the order of the options; of a predicate: true, false. Their sum is 1. */
  probabilities: number[];
  /** How likely the model was to answer with an option at all, 0 to 1. */
  coverage: number;
}
