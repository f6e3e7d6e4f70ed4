import type { ToServiceWorker } from '../core/messages.ts';

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
