/**
 * The API for a site's own service worker.
 *
 * @module slashv1/sw
 */
import { readInterception, type InterceptOptions } from '../src/core/realms/interception.ts';
import { answerTo, answerWith, intercept as interceptWith } from './api.ts';
import { siteAnswers } from './site-answers.ts';

declare const self: ServiceWorkerGlobalScope;

answerWith(siteAnswers);

export { allowClaim } from './api.ts';
export type { InterceptOptions } from '../src/core/realms/interception.ts';

/**
 * Answers a request if it is for slashv1: below `v1` in the scope, for a file of an engine, or to a service that
 * `intercept` names. Call it first in the listener of `fetch`.
 *
 * @returns whether it answers; if so, the listener must not call `respondWith`
 */
export function handle(event: FetchEvent): boolean {
  const answer = answerTo(event);
  if (answer) event.respondWith(answer);
  return answer !== undefined;
}

/**
 * Lets `handle` answer requests of the site's pages to other services, as the option `intercept` of `start()` does with
 * `sw.js`. Call it once, at the top of the script: a request that arrives before is sent to the service.
 *
 * @param services - base URLs, such as `https://api.openai.com/v1`
 * @throws TypeError if one is not a base URL, so that the service worker is not installed; Error after the first answer
 */
export function intercept(services: readonly string[], options: InterceptOptions = {}): void {
  interceptWith(readInterception(services, options, new URL(self.registration.scope)));
}
