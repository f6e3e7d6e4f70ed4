/** The most contexts that can have tokens in one batch: LC_MOST_TOGETHER. */
export const MOST_TOGETHER = 4;

/** Tokens to compute, which follow `position` tokens in a context's KV cache. */
export interface Batch {
  context: number;
  /** At most MOST_OUTPUTS. */
  tokens: readonly number[];
  position: number;
}
