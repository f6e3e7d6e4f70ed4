import type { ToServiceWorker } from '../core/messages.ts';
import { reachedProtocol } from './health.ts';
import { activation, register } from './register.ts';

/**
 * Tells the service worker of a newer version that waits. It lets it in when no answer is under way,
 * rather than when all tabs are closed; pages and the engine go on with the new one.
 */
export function letUpdatesIn(registration: ServiceWorkerRegistration, signal: AbortSignal): void {
  const tell = () => {
    const message: ToServiceWorker = { type: 'slashv1:update-waits' };
    if (registration.waiting) registration.active?.postMessage(message);
  };
  const watch = () => registration.installing?.addEventListener('statechange', tell, { signal });
  registration.addEventListener('updatefound', watch, { signal });
  watch();
  tell();
}

/**
 * Where this page's fetches no longer reach the service worker that controls it, has another take over.
 *
 * Seen in Chromium 156 where the process of the service worker crashes while a new version is about to
 * take over: fetches that were under way are begun again, and all later ones of their page go to the
 * network, until it is reloaded or the next version takes over. For the browser, a script with another
 * URL is one.
 */
export function regainControl(
  registration: ServiceWorkerRegistration,
  base: URL,
  signal: AbortSignal,
): void {
  const check = async () => {
    await activation(registration);
    if ((await reachedProtocol(base)) !== null || signal.aborted) return;
    // No other version where this one is it already: what did not help once is not tried for ever.
    await register(new URL('sw.js?again', base), base);
  };
  // Without a network there is no other version to be had.
  const onChange = () => void check().catch(() => undefined);
  navigator.serviceWorker.addEventListener('controllerchange', onChange, { signal });
}
