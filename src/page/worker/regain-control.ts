import { activation, reachedWorker, type register } from './register.ts';

/**
 * Replaces the service worker if this page's requests no longer reach the one that controls it now.
 *
 * Chromium 156 does this when the process of the service worker crashes while a new version takes over: it
 * repeats the requests that were open, and sends all later ones of that page to the network until the page is
 * reloaded or the next version takes over. The same script with another URL counts as the next version.
 *
 * @param signal - aborts when the page stops
 * @param registerAgain - `register` of the page library
 * @throws StartError without a network
 */
export async function regainControl(
  registration: ServiceWorkerRegistration,
  base: URL,
  signal: AbortSignal,
  registerAgain: typeof register,
): Promise<void> {
  await activation(registration);
  if ((await reachedWorker(base)) !== null || signal.aborted) return;
  // If this URL is the active one already, nothing happens: there is no second attempt.
  const script = new URL(registration.active?.scriptURL ?? 'sw.js', base);
  script.searchParams.set('again', '');
  await registerAgain(script, base);
}
