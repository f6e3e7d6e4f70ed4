import { upstreamLock, type Upstream } from '../../src/core/protocol/upstreams.ts';
import type { HeadersAnswer, ToPage } from '../../src/core/protocol/messages.ts';
import { isLockHeld } from '../../src/core/protocol/web-lock.ts';
import { upstreamError } from '../upstreams/upstream-errors.ts';
import { openPages } from './pages.ts';

/** How long the pages may take, milliseconds: a token may have to be fetched. */
const WAIT_MS = 10_000;

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
  const [isHeld, pages] = await Promise.all([
    isLockHeld(upstreamLock(base, upstream)),
    openPages(),
  ]);
  if (!isHeld) throw upstreamError(name, 'upstream_unavailable');
  const ended = new AbortController();
  const answers = pages.map((page) => {
    const { port1, port2 } = new MessageChannel();
    const message: ToPage = { type: 'slashv1:headers-wanted', base, name, baseURL };
    page.postMessage(message, [port2]);
    ended.signal.addEventListener('abort', () => port1.close());
    return answerOf(port1);
  });
  try {
    const answer = await Promise.race([...answers, noAnswer(ended.signal)]);
    if (answer?.headers) return answer.headers;
    throw upstreamError(name, answer ? 'upstream_headers_failed' : 'upstream_unavailable');
  } finally {
    ended.abort();
  }
}

function answerOf(port: MessagePort): Promise<HeadersAnswer> {
  return new Promise((resolve) => {
    port.onmessage = ({ data }: MessageEvent<HeadersAnswer>) => resolve(data);
  });
}

function noAnswer(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), WAIT_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
