/** How the probabilities of a type of question are corrected: raised to 1 / temperature, then shifted. */
export interface Correction {
  temperature: number;
  /** Added to the log-odds of true to false, or of each level to the one below; default: 0. */
  bias?: number;
}

/**
 * How a model's decisions are calibrated, as measured on a labelled set. The numbers of a type that is absent are the
 * model's own. A choice has no bias: its options have no order.
 */
export interface Calibration {
  predicate?: Correction;
  choice?: Pick<Correction, 'temperature'>;
  score?: Correction;
}
