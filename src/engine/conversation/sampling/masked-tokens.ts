import type { Sampling } from '../../../core/operations/jobs/jobs.ts';

/** The lowest bias of the API, and the lowest that WebLLM takes: no trained preference is as strong. */
const MASKED = -100;

/**
 * Sampling without these tokens. A grammar sees a control token as the text that spells it, which fits
 * into any string. So a grammar alone does not exclude control tokens.
 */
export function withMaskedTokens<S extends Sampling>(sampling: S, tokenIds: Iterable<number>): S {
  const masked = Object.fromEntries(Array.from(tokenIds, (id) => [id, MASKED]));
  return { ...sampling, logitBias: { ...sampling.logitBias, ...masked } };
}
