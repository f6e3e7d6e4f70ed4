import type { ToHost } from '../../core/port/port-messages.ts';
import type { ToPage, ToServiceWorker } from '../../core/realms/messages.ts';
import { serverError } from '../../core/errors/errors.ts';
import type { HostPort } from '../../core/port/engine-port.ts';
import { orAborted } from '../../core/async/or-aborted.ts';

/** A request without an answer is repeated after this long, milliseconds: leaders and workers come and go. */
const RETRY_MS = 1_000;

/** Marks the requests of this module: a page may hold the library twice. */
const OWN = Math.random().toString(36);
let requests = 0;
const waiting = new Map<string, PromiseWithResolvers<HostPort>>();

/**
 * Asks the service worker for a port to the engine host until one arrives, or the signal aborts.
 *
 * @throws ApiError 500 if the leader's engine cannot start
 */
export async function requestPort(
  registration: ServiceWorkerRegistration,
  signal: AbortSignal,
): Promise<HostPort> {
  signal.throwIfAborted();
  const nonce = `${OWN} ${requests++}`;
  const message: ToServiceWorker = { type: 'slashv1:connect', nonce };
  const ask = () => registration.active?.postMessage(message);
  const answer = Promise.withResolvers<HostPort>();
  waiting.set(nonce, answer);
  // Adding the listener again has no effect. It is never removed, because answers may arrive late.
  navigator.serviceWorker.addEventListener('message', receive);
  const timer = setInterval(ask, RETRY_MS);
  ask();
  return orAborted(answer.promise, signal).finally(() => {
    clearInterval(timer);
    waiting.delete(nonce);
  });
}

function receive({ data, ports: [port] }: MessageEvent<ToPage | null>): void {
  if (data?.type !== 'slashv1:port' && data?.type !== 'slashv1:no-port') return;
  const { nonce = '' } = data;
  const answer = waiting.get(nonce);
  waiting.delete(nonce);
  if (data.type === 'slashv1:no-port') {
    answer?.reject(serverError('engine_error', data.message));
  } else if (port && answer) answer.resolve({ port, lock: data.lock });
  else if (port && nonce.startsWith(OWN)) dismiss(port);
}

/** A repeated request may be answered twice: the host need not keep the second port. */
function dismiss(port: MessagePort): void {
  const message: ToHost = { type: 'bye' };
  port.postMessage(message);
  port.close();
}
