import type { ClientRights, Repeatable } from './job-parts.ts';
import type { Prompt } from './jobs.ts';

/** A chat. */
export type ChatPrompt = Extract<Prompt, { kind: 'chat' }>;

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

export interface DecideRequest extends ClientRights, Repeatable {
  model: string;
  /** A system message, the input, and then the instructions of each question as a user's message. */
  prompt: ChatPrompt;
  questions: DecisionQuestion[];
  /** In how many orders the model reads the options of each question: models prefer some places in a list. */
  orders: 1 | 2;
}

/** How likely each answer to a question is. */
export interface Decision {
  /** In the order of the options; of a predicate: true, false. Their sum is 1. */
  probabilities: number[];
  /** How likely the model was to answer with an option at all, 0 to 1. */
  coverage: number;
}
