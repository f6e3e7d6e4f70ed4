import { upstreamLock, type Upstream } from '../../src/core/realms/upstreams.ts';
import type { HeadersAnswer, ToPage } from '../../src/core/realms/messages.ts';
import { isLockHeld, webLocks } from '../../src/core/port/web-lock.ts';
import { upstreamError } from '../upstreams/upstream-errors.ts';
import { openPages } from './pages.ts';

/** How long the pages may take, milliseconds: a token may have to be fetched. */
const WAIT_MS = 10_000;

/** Only the page that answered last is asked at first. If it is silent for so many milliseconds, all pages are asked. */
const ALONE_MS = 200;

/**
 * The port of the page that answered last, by the Web Lock of the upstream, so that the page is not searched for each
 * time.
 */
const latest = new Map<string, MessagePort>();

/** Headers that never change while their page lives, by the Web Lock of the upstream. */
const constant = new Map<string, Record<string, string>>();

/** Takes the answer to a question, by the id of the question. */
const asked = new Map<number, (answer: HeadersAnswer, port: MessagePort) => void>();

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
  const same = constant.get(lock);
  if (same) return same;
  const { promise, resolve, reject } = Promise.withResolvers<HeadersAnswer | undefined>();
  const id = count++;
  const known = latest.get(lock);
  asked.set(id, (answer, port) => {
    resolve(answer);
    latest.set(lock, port);
    const { lock: life, headers } = answer;
    if (life && headers) {
      constant.set(lock, headers);
      webLocks.watch(life, () => constant.delete(lock) && latest.delete(lock));
    }
  });
  const ask = (page: Client) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<HeadersAnswer>) => {
      const take = asked.get(data.id);
      if (take) take(data, port1);
      else port1.close();
    };
    const message: ToPage = { type: 'slashv1:headers-wanted', base, name, baseURL, id };
    page.postMessage(message, [port2]);
  };
  const askAll = async () => {
    if (!(await isLockHeld(lock))) return resolve(undefined);
    const pages = await openPages();
    if (asked.has(id)) pages.forEach(ask);
  };
  known?.postMessage(id);
  const all = setTimeout(() => askAll().catch(reject), known && ALONE_MS);
  const late = setTimeout(resolve, WAIT_MS);
  try {
    const answer = await promise;
    if (answer?.headers) return answer.headers;
    throw upstreamError(name, answer ? 'upstream_headers_failed' : 'upstream_unavailable');
  } finally {
    clearTimeout(all);
    clearTimeout(late);
    asked.delete(id);
  }
}
