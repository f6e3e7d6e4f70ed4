import { delay } from '../../src/core/async/delay.ts';
import { inTime } from '../../src/core/async/in-time.ts';
import { SILENT_SERVER_MS, UNANSWERED_MS } from '../../src/core/site/fetch-served.ts';

/**
 * The response of the network; a copy, if there is no network or its server says nothing.
 *
 * @param network - gives the response
 * @param copy - finds the copy
 * @param store - gets a response to keep, as a copy for later; its failure changes nothing
 */
export async function networkFirst(
  network: Promise<Response>,
  copy: () => Promise<Response | undefined>,
  store: (response: Response) => void,
): Promise<Response> {
  const silent = () => new Error('The server says nothing.');
  const answered = await inTime(network, SILENT_SERVER_MS, silent).catch(() => undefined);
  const kept = answered ? undefined : await copy();
  if (kept) {
    network.then(leave, () => undefined);
    return kept;
  }
  // Without a copy, the browser decides how long it waits.
  const response = answered ?? (await network);
  try {
    if (response.ok) store(response.clone());
  } catch {
    // The file is not kept.
  }
  return response;
}

/**
 * Sends a request again, past the browser's HTTP cache, if no answer has begun for 5 seconds. Chromium 156 can wait without
 * end after a server's connections broke, and other requests of the same address then wait for the first.
 */
export async function fetchAnswered(request: Request): Promise<Response> {
  const first = fetch(request);
  const wait = new AbortController();
  const late = delay(UNANSWERED_MS, wait.signal);
  const early = await Promise.race([first, late]).finally(() => wait.abort());
  if (early) return early;
  const both = [first, fetch(new Request(request, { cache: 'no-store' }))];
  const response = await Promise.any(both).catch(() => first);
  const leaveOther = (other: Response) => other !== response && leave(other);
  for (const each of both) each.then(leaveOther, () => undefined);
  return response;
}

/** A body that nobody reads would keep its connection, and its entry of the HTTP cache. */
export function leave(response: Response): void {
  void response.body?.cancel();
}
