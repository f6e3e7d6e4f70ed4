import type { PromptDisk } from '../../core/operations/jobs/job-parts.ts';
import type { PromptCaching } from '../../core/operations/prompt-caching.ts';
import type { Breakpoint } from '../conversation/prompt/breakpoints.ts';
import type { Caching } from '../conversation/text-model.ts';

/** How many breakpoints of a prompt are kept: the latest ones. OpenAI and Anthropic have this limit, too. */
const MOST_BREAKPOINTS = 4;

/** A job that may say how its prompt is cached. */
export interface CachedJob {
  client?: string;
  caching?: PromptCaching;
  disk?: PromptDisk;
}

/** Translates what jobs say about caching into the terms of engines, and numbers the requests that share nothing. */
export class RequestCaching {
  readonly #numbers = new WeakMap<CachedJob, number>();
  #last = 0;

  /** @param whole - characters of a prompt that may be kept on disk as a whole, if its job asks for that; undefined: none */
  of(job: CachedJob, breakpoints: readonly Breakpoint[], whole?: number): Caching {
    const { client = '', disk, caching: { key, isExplicit, hours = 0 } = {} } = job;
    const isWhole = whole !== undefined && disk && !isExplicit && breakpoints.length === 0;
    const places = isWhole && hours > 0 ? [{ characters: whole, hours }] : breakpoints;
    return {
      client,
      key,
      request: this.numberOf(job),
      breakpoints: places
        .slice(-MOST_BREAKPOINTS)
        .map((each) => ({ ...each, hours: Math.max(hours, each.hours) })),
      disk,
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
