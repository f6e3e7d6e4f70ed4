import { upstreamLock, type Upstream } from '../../src/core/protocol/upstreams.ts';
import type { HeadersAnswer, ToPage } from '../../src/core/protocol/messages.ts';
import { isLockHeld } from '../../src/core/protocol/web-lock.ts';
import { upstreamError } from '../upstreams/upstream-errors.ts';
import { openPages } from './pages.ts';

/** How long the pages may take, milliseconds: a token may have to be fetched. */
const WAIT_MS = 10_000;

/** Only the page that answered last is asked at first. If it is silent for so many milliseconds, all pages are asked. */
const ALONE_MS = 200;

/** By the Web Lock of an upstream: the port on which a page answers again. It is not looked for each time. */
const latest = new Map<string, MessagePort>();

let count = 0;

/**
 * The headers for one request to an upstream, from a page that was started with it. They are stored nowhere.
 *
 * @param base - absolute URL of the folder that `v1` is in
 * @throws ApiError 503
 */
export async function pageHeaders(
  base: string,
  upstream: Upstream,
): Promise<Record<string, string>> {
  const { name, baseURL } = upstream;
  const lock = upstreamLock(base, upstream);
  const { promise, resolve, reject } = Promise.withResolvers<HeadersAnswer | undefined>();
  const id = count++;
  const ended = new AbortController();
  const { signal } = ended;
  const known = latest.get(lock);
  const listen = (port: MessagePort) => {
    const onMessage = ({ data }: MessageEvent<HeadersAnswer>) => {
      if (data.id === id && latest.get(lock) === known) latest.set(lock, port);
      // Pages of older builds answer once, without an id.
      if ((data.id ?? id) === id) resolve(data);
    };
    port.addEventListener('message', onMessage, { signal });
  };
  const ask = (page: Client) => {
    const { port1, port2 } = new MessageChannel();
    listen(port1);
    port1.start();
    signal.addEventListener('abort', () => latest.get(lock) === port1 || port1.close());
    const message: ToPage = { type: 'slashv1:headers-wanted', base, name, baseURL, id };
    page.postMessage(message, [port2]);
  };
  const askAll = async () => {
    const [isHeld, pages] = await Promise.all([isLockHeld(lock), openPages()]);
    if (!isHeld) resolve(undefined);
    else if (!signal.aborted) pages.forEach(ask);
  };
  if (known) {
    listen(known);
    known.postMessage(id);
  }
  const all = setTimeout(() => askAll().catch(reject), known && ALONE_MS);
  const late = setTimeout(resolve, WAIT_MS, undefined);
  try {
    const answer = await promise;
    if (answer?.headers) return answer.headers;
    throw upstreamError(name, answer ? 'upstream_headers_failed' : 'upstream_unavailable');
  } finally {
    clearTimeout(all);
    clearTimeout(late);
    ended.abort();
  }
}
