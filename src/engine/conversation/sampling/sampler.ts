import type { Ending, Sampling } from '../../../core/operations/jobs/jobs.ts';
import { at, largest, logSumExp, maskBelow, maximum } from './logits.ts';

/** A token's id and the natural logarithm of its probability. */
export type Logprob = [token: number, logprob: number];

/** A token that the model wrote, with its probability and those of the alternatives. */
export interface SampledToken {
  id: number;
  logprob: number;
  /** Best first. */
  top: Logprob[];
  /** Natural logarithms of the probabilities of the tokens that were asked for, in their order; undefined: none were. */
  asked?: number[];
}

export interface SamplerOptions {
  /** The temperature is needed because min_p applies at it. */
  sampling: Sampling & { temperature: number };
  /** How many alternatives to record at each token; undefined: no logprobs. */
  topLogprobs?: number | undefined;
  /** Ids of tokens whose probability is wanted at each token; undefined: none. Needs `topLogprobs`. */
  asked?: readonly number[] | undefined;
  /** What ends the output, if that is not as usual. */
  ending?: Ending | undefined;
  /** Ids of the tokens that the output begins with, whatever their logits. */
  forced?: readonly number[] | undefined;
  /** Tokens with which the model itself ends its turn. */
  endTokenIds?: readonly number[];
  /** Whether a grammar masks the logits. */
  isConstrained?: boolean;
}

/** Whether the sampler is needed. It costs time: every token's logits are copied to the CPU. */
export function needsSampler({
  sampling,
  topLogprobs,
  forced,
  ending = {},
  isConstrained = false,
}: SamplerOptions): boolean {
  const { temperature, topK, minP } = sampling;
  const { minTokens, ignoresEnd, stopTokenIds } = ending;
  const limits = topK !== undefined || (minP !== undefined && minP > 0);
  // The likeliest token passes every limit, so limits do not matter at temperature 0.
  const endsOddly = minTokens !== undefined || stopTokenIds !== undefined;
  // An engine can ignore the end of a turn, but not that of a grammar.
  const endsLate = isConstrained && ignoresEnd === true;
  const isTold = topLogprobs !== undefined || forced !== undefined;
  return isTold || endsOddly || endsLate || (limits && temperature > 0);
}

/**
 * Sampling beyond temperature and top_p: top_k, min_p, and the model's own logprobs. It changes the
 * logits of a token before the engine applies temperature and top_p.
 *
 * The order is that of vLLM: top_k and min_p come after bias and penalties. So the sampler applies those too,
 * and the engine must not apply them again. min_p is a share of the likeliest token's probability at the
 * temperature, as in vLLM. If several tokens tie for the last place of top_k, all of them stay.
 */
export class Sampler {
  readonly #options: SamplerOptions;
  readonly #counts = new Map<number, number>();
  #written = 0;
  #isEnded = false;
  /** Raw logits of the next token; kept only for logprobs. */
  #raw: Float32Array | undefined;
  #sampled: SampledToken[] = [];

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  /** Whether the next token is a forced one. */
  get isForced(): boolean {
    return this.#forced !== undefined;
  }

  /** Whether the last token is one of the request's stop tokens. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether the logits from before the grammar mask are needed. */
  get wantsRaw(): boolean {
    return this.#options.topLogprobs !== undefined;
  }

  /** Takes the logits from before the grammar mask; needed if `processLogits` gets masked ones. */
  observe(raw: Float32Array): void {
    this.#raw = raw;
  }

  processLogits(logits: Float32Array): Float32Array {
    if (this.wantsRaw) this.#raw ??= logits.slice();
    if (this.#forced !== undefined) return only(logits, this.#forced);
    this.#bias(logits);
    this.#penalise(logits);
    this.#delay(logits);
    this.#limit(logits);
    return logits;
  }

  processSampledToken(token: number): void {
    this.#written++;
    this.#isEnded = this.#options.ending?.stopTokenIds?.includes(token) ?? false;
    this.#counts.set(token, (this.#counts.get(token) ?? 0) + 1);
    const raw = this.#raw;
    this.#raw = undefined;
    if (!raw) return;
    const total = logSumExp(raw);
    const logprob = (id: number): Logprob => [id, at(raw, id) - total];
    const { topLogprobs = 0, asked } = this.#options;
    const top = largest(raw, topLogprobs).map(logprob);
    const chances = asked && { asked: asked.map((id) => at(raw, id) - total) };
    this.#sampled.push({ id: token, logprob: logprob(token)[1], top, ...chances });
  }

  get #forced(): number | undefined {
    return this.#options.forced?.[this.#written];
  }

  /** The tokens that were sampled since the last call. */
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

  /** MLC's formula: presence and frequency penalties first. */
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

  /**
   * Before the output has enough tokens, nothing ends it. But if nothing else is possible, because a grammar is
   * complete, an end stays possible.
   */
  #delay(logits: Float32Array): void {
    const ends = this.#delayedEnds;
    if (ends.length === 0) return;
    const before = ends.map((id): [number, number] => [id, at(logits, id)]);
    for (const id of ends) logits[id] = -Infinity;
    if (maximum(logits) > -Infinity) return;
    for (const [id, logit] of before) logits[id] = logit;
  }

  get #delayedEnds(): readonly number[] {
    const { endTokenIds = [], ending = {} } = this.#options;
    const { minTokens = 0, ignoresEnd, stopTokenIds = [] } = ending;
    if (this.#written < minTokens) return [...endTokenIds, ...stopTokenIds];
    return ignoresEnd ? endTokenIds : [];
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

/** Leaves one token possible. */
function only(logits: Float32Array, id: number): Float32Array {
  logits.fill(-Infinity);
  logits[id] = 0;
  return logits;
}
