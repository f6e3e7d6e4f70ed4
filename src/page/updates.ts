import type { ToServiceWorker } from '../core/protocol/messages.ts';
import { orAborted } from '../core/async/or-aborted.ts';
import { reachedWorker } from './health.ts';
import { activation, register } from './register.ts';

/**
 * Announces a newer, waiting version to the active service worker, which then activates it as soon as it
 * sends no response, rather than when all tabs are closed. Pages and the engine continue with it.
 *
 * Only one tab announces it, and only once. A message that reaches a service worker while the browser stops
 * it restarts it, and Chromium 156 then keeps it until it has been idle for 30 s, or minutes with a debugger.
 */
export function announceUpdates(
  registration: ServiceWorkerRegistration,
  base: URL,
  signal: AbortSignal,
): void {
  const announce = async () => {
    const { active, waiting } = registration;
    if (!active || !waiting) return;
    const message: ToServiceWorker = { type: 'slashv1:update-waits' };
    const activating = new Promise((resolve) =>
      waiting.addEventListener('statechange', resolve, { once: true }),
    );
    active.postMessage(message);
    await orAborted(activating, signal);
  };
  const onWaiting = () => {
    const announced = navigator.locks.request(`slashv1:update:${base.href}`, { signal }, announce);
    // It fails only when this page stops.
    announced.catch(() => undefined);
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
 * If this page's requests no longer reach the service worker that controls it, replaces the service worker.
 *
 * Chromium 156 does this when the process of the service worker crashes while a new version takes over: it
 * repeats the requests that were open, and sends all later ones of that page to the network until the page is
 * reloaded or the next version takes over. The same script with another URL counts as the next version.
 */
export function regainControl(
  registration: ServiceWorkerRegistration,
  base: URL,
  signal: AbortSignal,
): void {
  const check = async () => {
    await activation(registration);
    if ((await reachedWorker(base)) !== null || signal.aborted) return;
    // If this URL is the active one already, nothing happens: there is no second attempt.
    const script = new URL(registration.active?.scriptURL ?? 'sw.js', base);
    script.searchParams.set('again', '');
    await register(script, base);
  };
  // Registering fails without a network.
  const onChange = () => void check().catch(() => undefined);
  navigator.serviceWorker.addEventListener('controllerchange', onChange, { signal });
}
