import { upstreamLock, type Upstream } from '../../src/core/protocol/upstreams.ts';
import type { HeadersAnswer, ToPage } from '../../src/core/protocol/messages.ts';
import { isLockHeld } from '../../src/core/protocol/web-lock.ts';
import { upstreamError } from '../upstreams/upstream-errors.ts';
import { openPages } from './pages.ts';

/** How long the pages may take, milliseconds: a token may have to be fetched. */
const WAIT_MS = 10_000;

/** How long the page that answered last is asked alone, milliseconds: it may be closed by now. */
const ALONE_MS = 50;

/** A page that answers again on the same port. */
interface Giver {
  /** Id of its client. */
  page: string;
  port: MessagePort;
}

/** By the Web Lock of an upstream: the page that is asked first. */
const givers = new Map<string, Giver>();

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
  const known = givers.get(lock);
  const listen = (giver: Giver) => {
    const onMessage = ({ data }: MessageEvent<HeadersAnswer>) => {
      if (data.id === id && givers.get(lock) === known) givers.set(lock, giver);
      // Pages of older builds answer once, without an id.
      if ((data.id ?? id) === id) resolve(data);
    };
    giver.port.addEventListener('message', onMessage, { signal });
  };
  const ask = (page: Client) => {
    const { port1: port, port2 } = new MessageChannel();
    const giver = { page: page.id, port };
    listen(giver);
    port.start();
    signal.addEventListener('abort', () => givers.get(lock) === giver || port.close());
    const message: ToPage = { type: 'slashv1:headers-wanted', base, name, baseURL, id };
    page.postMessage(message, [port2]);
  };
  const askAll = async () => {
    const [isHeld, pages] = await Promise.all([isLockHeld(lock), openPages()]);
    if (!isHeld) resolve(undefined);
    else if (!signal.aborted) pages.filter((page) => page.id !== known?.page).forEach(ask);
  };
  if (known) {
    listen(known);
    known.port.postMessage(id);
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
