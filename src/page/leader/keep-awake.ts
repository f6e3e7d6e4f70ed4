import type { ToPage, ToServiceWorker } from '../../core/realms/messages.ts';

/**
 * Delay of the next event, milliseconds. After 30 s without an event, Firefox ends even a service worker that responds.
 */
const SIGN_MS = 10_000;

/** Sends the service worker an event whenever it asks for one, which it does while it sends responses. */
export function keepAwake(registration: ServiceWorkerRegistration, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sendSign = () => {
    timer = undefined;
    const message: ToServiceWorker = { type: 'slashv1:awake' };
    registration.active?.postMessage(message);
  };
  const onMessage = ({ data }: MessageEvent<ToPage | null>) => {
    if (data?.type === 'slashv1:keep-awake') timer ??= setTimeout(sendSign, SIGN_MS);
  };
  navigator.serviceWorker.addEventListener('message', onMessage, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
}
