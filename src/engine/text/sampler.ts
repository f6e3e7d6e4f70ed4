import type { Sampling } from '../../core/protocol/jobs.ts';
import { at, largest, logSumExp, maskBelow, maximum } from './logits.ts';

/** A token's id and the natural logarithm of its probability. */
export type Logprob = [token: number, logprob: number];

/** A token that the model wrote, and how likely it and others were. */
export interface SampledToken {
  id: number;
  logprob: number;
  /** Best first. */
  top: Logprob[];
}

export interface SamplerOptions {
  /** With a temperature: min_p is measured at it. */
  sampling: Sampling & { temperature: number };
  /** How many alternatives to note at each token; undefined: nothing is noted. */
  topLogprobs?: number | undefined;
}

/** Whether the sampler is needed: it brings every token's logits to the CPU. */
export function needsSampler({ sampling, topLogprobs }: SamplerOptions): boolean {
  const { temperature, topK, minP } = sampling;
  const limits = topK !== undefined || (minP !== undefined && minP > 0);
  // The likeliest token passes every limit.
  return topLogprobs !== undefined || (limits && temperature > 0);
}

/**
 * What WebLLM does not do itself, as its logit processor: top_k, min_p, and the model's own logprobs.
 *
 * WebLLM's order is grammar mask, logit processor, logit_bias, penalties, temperature, top_p. The limits
 * of top_k and min_p have to come after bias and penalties, as in vLLM; so while this is at work it
 * applies these as well, and WebLLM is told of none. min_p is, also as in vLLM, a part of the likeliest
 * token's probability at the temperature. Of tokens as likely as the last of top_k all stay.
 */
export class Sampler {
  readonly #options: SamplerOptions;
  readonly #counts = new Map<number, number>();
  /** Logits of the token that comes next, as the model gave them; kept only for logprobs. */
  #raw: Float32Array | undefined;
  #sampled: SampledToken[] = [];

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  /** Whether the logits are wanted from before the grammar's mask. */
  get wantsRaw(): boolean {
    return this.#options.topLogprobs !== undefined;
  }

  /** Logits from before the grammar's mask, where those that come to be processed are masked. */
  observe(raw: Float32Array): void {
    this.#raw = raw;
  }

  processLogits(logits: Float32Array): Float32Array {
    if (this.wantsRaw) this.#raw ??= logits.slice();
    this.#bias(logits);
    this.#penalise(logits);
    this.#limit(logits);
    return logits;
  }

  processSampledToken(token: number): void {
    this.#counts.set(token, (this.#counts.get(token) ?? 0) + 1);
    const raw = this.#raw;
    this.#raw = undefined;
    if (!raw) return;
    const total = logSumExp(raw);
    const logprob = (id: number): Logprob => [id, at(raw, id) - total];
    const top = largest(raw, this.#options.topLogprobs ?? 0).map(logprob);
    this.#sampled.push({ id: token, logprob: logprob(token)[1], top });
  }

  /** The tokens that were sampled since this was asked last. */
  takeSampled(): SampledToken[] {
    const sampled = this.#sampled;
    this.#sampled = [];
    return sampled;
  }

  #bias(logits: Float32Array): void {
    const { logitBias = {} } = this.#options.sampling;
    for (const [id, bias] of Object.entries(logitBias)) {
      logits[Number(id)] = at(logits, Number(id)) + bias;
    }
  }

  /** By the formula of MLC's kernels: presence and frequency first. */
  #penalise(logits: Float32Array): void {
    const {
      presencePenalty = 0,
      frequencyPenalty = 0,
      repetitionPenalty = 1,
    } = this.#options.sampling;
    for (const [id, count] of this.#counts) {
      const logit = at(logits, id) - presencePenalty - count * frequencyPenalty;
      logits[id] = logit > 0 ? logit / repetitionPenalty : logit * repetitionPenalty;
    }
  }

  #limit(logits: Float32Array): void {
    const { temperature, topK, minP = 0 } = this.#options.sampling;
    if (temperature === 0) return;
    if (topK !== undefined && topK < logits.length) {
      const last = largest(logits, topK).at(-1);
      if (last !== undefined) maskBelow(logits, at(logits, last));
    }
    if (minP > 0) maskBelow(logits, maximum(logits) + temperature * Math.log(minP));
  }
}
