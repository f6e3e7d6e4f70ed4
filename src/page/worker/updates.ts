import type { ToServiceWorker } from '../../core/realms/messages.ts';
import { orAborted } from '../../core/async/or-aborted.ts';

/**
 * Announces a newer, waiting version to the active service worker, which then activates it as soon as it
 * sends no response, rather than when all tabs are closed. Pages and the engine continue with it.
 *
 * Only one tab announces it, and only once. A message that reaches a service worker while the browser stops
 * it restarts it, and Chromium 156 then keeps it until it has been idle for 30 s, or minutes with a debugger.
 *
 * The registration's own events are used: a `Workbox` stops listening after the first version that another page found.
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
    // The request fails only when this page stops.
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
