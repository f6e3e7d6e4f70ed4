import type { ToPage, ToServiceWorker } from '../core/protocol/messages.ts';

/** Firefox ends a service worker 30 s after its last event, with answers under way or without. */
const SIGN_MS = 10_000;

/**
 * Gives the service worker a sign of life after a while whenever it asks for one, which it does as long
 * as answers are under way.
 */
export function keepAwake(registration: ServiceWorkerRegistration, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const giveSign = () => {
    timer = undefined;
    const message: ToServiceWorker = { type: 'slashv1:awake' };
    registration.active?.postMessage(message);
  };
  const onMessage = ({ data }: MessageEvent<ToPage>) => {
    if (data.type === 'slashv1:keep-awake') timer ??= setTimeout(giveSign, SIGN_MS);
  };
  navigator.serviceWorker.addEventListener('message', onMessage, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
}
