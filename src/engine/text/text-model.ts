import type { FinishReason, Usage } from '../../core/protocol/events.ts';
import type { Sampling } from '../../core/protocol/jobs.ts';
import type { ResponseFormat } from './response-format.ts';
import type { SampledToken } from './sampler.ts';

/** A piece of what the model writes, as WebLLM gives it: raw, nothing parsed, nothing cut. */
export type RawEvent =
  /** `tokens`: those that were sampled meanwhile, where logprobs were asked for. */
  /** `count`: how many have been sampled altogether, where that is known. */
  { type: 'text'; text: string; tokens: SampledToken[]; count: number | undefined } | RawFinish;

export interface RawFinish {
  type: 'finish';
  reason: FinishReason;
  usage: Usage;
}

/** What WebLLM is asked to generate. */
export interface Generation {
  /** The request's field that the prompt came in: what is wrong with it is said of this field. */
  promptParam: string;
  /** As in the job, with the model's own default temperature where it has none. */
  sampling: Sampling & { temperature: number };
  maxTokens?: number | undefined;
  /** What the output is held to. */
  format?: ResponseFormat | undefined;
  /** The request's field that the format comes from. */
  formatParam?: string | undefined;
  /** How many alternatives to note at each token; undefined: no logprobs. */
  topLogprobs?: number | undefined;
}
