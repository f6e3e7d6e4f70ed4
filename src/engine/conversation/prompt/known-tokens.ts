import { jobFault } from '../../../core/errors/errors.ts';
import type { JobPart } from '../../../core/errors/job-fault.ts';
import type { GenerateJob } from '../../../core/operations/jobs/jobs.ts';

/** Refuses ids of unknown tokens: an engine could apply their bias to the logit of another token. */
export class KnownTokens {
  readonly #size: number;

  /** @param size - of the vocabulary; undefined: not known */
  constructor(size: number | undefined) {
    // Engines count tokens in 32 bits.
    this.#size = size ?? 2 ** 31;
  }

  /** @throws ApiError 400 if a job names tokens that the model does not have */
  check({ sampling, ending }: GenerateJob): void {
    const biased = Object.keys(sampling.logitBias ?? {}).find((id) => !this.#has(Number(id)));
    if (biased !== undefined) throw this.#fault('logit_bias', `.${biased}`);
    this.checkIds(ending?.stopTokenIds ?? [], 'ending');
  }

  /** @param part - of the job that has the ids */
  checkIds(ids: readonly number[], part: JobPart): void {
    const unknown = ids.findIndex((id) => !this.#has(id));
    if (unknown >= 0) throw this.#fault(part, `[${unknown}]`);
  }

  #has(id: number): boolean {
    return id >= 0 && id < this.#size;
  }

  #fault(part: JobPart, path: string) {
    const text = `is no token of this model: its ids end at ${this.#size - 1}.`;
    return jobFault(part, text, { path });
  }
}
