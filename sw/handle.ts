/**
 * The API for a site's own service worker.
 *
 * @module slashv1/sw
 */
import { answerTo } from './api.ts';

export { allowClaim } from './api.ts';

/**
 * Answers a request if it is for slashv1: below `v1` in the scope, or for a file of an engine. Call it first in the
 * listener of `fetch`.
 *
 * @returns whether it answers; if so, the listener must not call `respondWith`
 */
export function handle(event: FetchEvent): boolean {
  const answer = answerTo(event);
  if (answer) event.respondWith(answer);
  return answer !== undefined;
}
