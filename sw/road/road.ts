import type { Context } from '../context.ts';

/** Answers a request. @throws ApiError of any kind */
export type Handler = (context: Context) => Promise<Response>;

/**
 * Decides one thing about a request, and passes it on with the decision in its context. A stage may also answer the
 * request itself, or look at the answer of the stages after it.
 */
export type Stage = (context: Context, next: Handler) => Promise<Response>;

/** Leads a request through the stages, in their order, to the handler. */
export function road(stages: readonly Stage[], handler: Handler): Handler {
  return stages.reduceRight<Handler>((next, stage) => (context) => stage(context, next), handler);
}
