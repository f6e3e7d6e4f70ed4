import * as v from 'valibot';
import { invalidRequest } from '../../../src/core/errors/errors.ts';
import { BREAKPOINTS, type PromptCaching } from '../../../src/core/operations/prompt-caching.ts';
import { flag, object, optional, text } from '../../http/fields.ts';
import { refuse } from './generation-job.ts';

const ttl = optional(v.picklist(['30m', '12h'], 'must be 30m or 12h'));

/** What OpenAI's API writes on a part after which the prompt is kept. */
export const breakpoint = optional(
  object({ mode: v.literal('explicit', 'must be explicit'), ttl }),
);

/** What Anthropic's API writes on a block after which the prompt is kept. */
export const cacheControl = optional(
  object({
    type: v.literal('ephemeral', 'must be ephemeral'),
    ttl: optional(v.picklist(['5m', '1h'], 'must be 5m or 1h')),
  }),
);

/** A breakpoint of a request. */
export type Breakpoint = v.InferOutput<typeof breakpoint> | v.InferOutput<typeof cacheControl>;

/** How long a copy of the prompt is wanted. */
export function markOf({ ttl: wanted }: NonNullable<Breakpoint>): string {
  return BREAKPOINTS[wanted === '12h' || wanted === '1h' ? wanted : 'short'];
}

/**
 * A part's text with its breakpoint.
 *
 * @param field - of the breakpoint
 * @throws ApiError 400 for an empty text: no prompt ends there
 */
export function marked(written: string, given: Breakpoint, field: string): string {
  if (given == null) return written;
  if (written !== '') return written + markOf(given);
  throw invalidRequest(`'${field}' is on an empty text.`, field);
}

/** @throws ApiError 400 for a breakpoint on what is not part of the prompt's beginning */
export function refuseBreakpoint(given: Breakpoint, field: string): void {
  if (given == null) return;
  throw invalidRequest(`'${field}' is on a part that the prompt does not begin with.`, field);
}

/** How requests of OpenAI's API say what is kept of their prompts. */
export const cachingEntries = {
  prompt_cache_key: optional(text),
  prompt_cache_options: optional(
    object({
      mode: optional(v.picklist(['implicit', 'explicit'], 'must be implicit or explicit')),
      ttl,
      prewarm: optional(flag),
    }),
  ),
  prompt_cache_retention: optional(v.picklist(['in_memory', '24h'], 'must be in_memory or 24h')),
};

const cachingSchema = v.object(cachingEntries);

/** @throws ApiError 400 for what this server cannot honour */
export function promptCaching({
  prompt_cache_key: key,
  prompt_cache_options: options,
  prompt_cache_retention: retention,
}: v.InferOutput<typeof cachingSchema>): { caching?: PromptCaching } {
  refuse(options?.prewarm === true, 'prompt_cache_options.prewarm');
  const hours = retention === '24h' ? 24 : options?.ttl === '12h' && 12;
  const caching = {
    ...(key != null && { key }),
    ...(options?.mode === 'explicit' && { isExplicit: true }),
    ...(hours && { hours }),
  };
  return Object.keys(caching).length > 0 ? { caching } : {};
}
