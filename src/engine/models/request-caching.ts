import type { PromptCaching } from '../../core/operations/prompt-caching.ts';
import type { Breakpoint } from '../conversation/prompt/breakpoints.ts';
import type { Caching } from '../conversation/text-model.ts';

/** How many breakpoints of a prompt are kept: the latest ones. OpenAI and Anthropic have this limit, too. */
const MOST_BREAKPOINTS = 4;

/** A job that may say how its prompt is cached. */
export interface CachedJob {
  client?: string;
  caching?: PromptCaching;
}

/** Translates what jobs say about caching into the terms of engines, and numbers the requests that share nothing. */
export class RequestCaching {
  readonly #numbers = new WeakMap<CachedJob, number>();
  #last = 0;

  of(job: CachedJob, breakpoints: readonly Breakpoint[]): Caching {
    const { client = '', caching: { key, isLong = false } = {} } = job;
    return {
      client,
      key,
      request: this.numberOf(job),
      breakpoints: breakpoints
        .slice(-MOST_BREAKPOINTS)
        .map((each) => ({ ...each, isLong: isLong || each.isLong })),
    };
  }

  /** The number of a request whose caches are its own; undefined: it shares them. */
  numberOf(job: CachedJob): number | undefined {
    if (job.caching?.isExplicit !== true) return undefined;
    const known = this.#numbers.get(job) ?? ++this.#last;
    this.#numbers.set(job, known);
    return known;
  }
}
