import type { ToServiceWorker } from '../core/protocol/messages.ts';
import { orAborted } from '../core/async/or-aborted.ts';
import { reachedProtocol } from './health.ts';
import { activation, register } from './register.ts';

/**
 * Tells the service worker of a newer version that waits. It lets it in when no answer is under way,
 * rather than when all tabs are closed; pages and the engine go on with the new one.
 *
 * Of all tabs one tells it, and once: what reaches a version in the moment in which it is stopped makes
 * it begin again, and Chromium 156 then keeps it until it was idle for 30 s, beside a debugger for minutes.
 */
export function letUpdatesIn(
  registration: ServiceWorkerRegistration,
  base: URL,
  signal: AbortSignal,
): void {
  const tell = async () => {
    const { active, waiting } = registration;
    if (!active || !waiting) return;
    const message: ToServiceWorker = { type: 'slashv1:update-waits' };
    const isLetIn = new Promise((resolve) =>
      waiting.addEventListener('statechange', resolve, { once: true }),
    );
    active.postMessage(message);
    await orAborted(isLetIn, signal);
  };
  const onWaiting = () => {
    const told = navigator.locks.request(`slashv1:update:${base.href}`, { signal }, tell);
    // It only ever fails because this page is stopped.
    told.catch(() => undefined);
  };
  const watch = () => {
    const { installing } = registration;
    const check = () => {
      if (installing?.state === 'installed') onWaiting();
    };
    installing?.addEventListener('statechange', check, { signal });
  };
  registration.addEventListener('updatefound', watch, { signal });
  watch();
  if (registration.waiting) onWaiting();
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
