import { delay } from '../../core/async/delay.ts';
import {
  requestChannel,
  type ApiRequest,
  type RequestMessage,
} from '../../core/realms/api-request.ts';
import { webLocks } from '../../core/port/web-lock.ts';
import type { WatchOptions } from './api.ts';

/**
 * How long to wait for a worker or tab to confirm that it knows this listener, milliseconds. If no worker or tab
 * answers requests now, none confirms. A later one asks for listeners first.
 */
const KNOWN_MS = 200;

/**
 * Implements `Requests.watch`.
 *
 * @param scope - path of the service worker's scope
 * @param stopping - its abort unsubscribes
 */
export async function watchRequests(
  scope: string,
  stopping: AbortSignal,
  listener: (request: ApiRequest) => void,
  { contents = false }: WatchOptions = {},
): Promise<() => void> {
  const lock = `slashv1:watch:${crypto.randomUUID()}`;
  const release = await webLocks.hold(lock);
  const channel = new BroadcastChannel(requestChannel(scope));
  const running = new Map<string, Map<string, ApiRequest>>();
  const ending = new AbortController();
  const post = (message: RequestMessage) => channel.postMessage(message);
  const tell = (request: ApiRequest) => {
    try {
      listener(request);
    } catch (error) {
      reportError(error);
    }
  };
  /** Reports the open requests of a worker or tab that has ended as failed: no other report of them follows. */
  const lost = (host: string) => {
    for (const request of running.get(host)?.values() ?? []) {
      const message = 'The worker or the tab that answered it has ended.';
      const durationMs = Math.max(0, Date.now() - request.at);
      tell({ ...request, durationMs, error: { code: 'worker_stopped', message } });
    }
    running.delete(host);
  };
  const ofHost = (host: string) => {
    const known = running.get(host) ?? new Map<string, ApiRequest>();
    if (!running.has(host)) webLocks.watch(host, () => lost(host), ending.signal);
    running.set(host, known);
    return known;
  };
  const known = Promise.withResolvers<void>();
  channel.onmessage = ({ data }: MessageEvent<RequestMessage>) => {
    if (data.type === 'watched' && data.lock === lock) known.resolve();
    if (data.type === 'who') post({ type: 'watch', lock, contents });
    if (data.type !== 'request') return;
    const { body: _body, answers: _answers, ...facts } = data.request;
    const all = ofHost(data.host);
    if (facts.durationMs === undefined) all.set(facts.id, facts);
    else all.delete(facts.id);
    tell(contents ? data.request : facts);
  };
  post({ type: 'watch', lock, contents });
  const end = () => {
    ending.abort();
    channel.close();
    release();
  };
  if (stopping.aborted) end();
  stopping.addEventListener('abort', end, { once: true });
  await Promise.race([known.promise, delay(KNOWN_MS, ending.signal).catch(() => undefined)]);
  return end;
}
