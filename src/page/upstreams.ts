import type { HeadersAnswer, ToPage } from '../core/protocol/messages.ts';
import type { HeadersOf } from '../core/protocol/page-api.ts';
import { readRoutes } from '../core/protocol/routes.ts';
import { readUpstreams, upstreamLock } from '../core/protocol/upstreams.ts';
import { holdWebLock } from '../core/protocol/web-lock.ts';
import type { StoredKey } from '../core/stores/database.ts';
import type { StartError } from './api.ts';
import { messageOf } from './message-of.ts';
import { serviceWorkers } from './platform.ts';
import type { StartOptions } from './start-options.ts';

/** The options of `start` that say where requests may go. */
export type ForwardingOptions = {
  [Name in 'upstreams' | 'routes']?: StartOptions[Name] | undefined;
};

/** What a page does with them. */
export interface Forwarding {
  /** Of the page's keys. */
  rights: Required<Pick<StoredKey, 'upstreams' | 'routes'>>;
  /** For requests that this page answers itself. */
  headersOf: HeadersOf;
}

/**
 * Gives the headers of upstreams to the service worker, for each request, until the page stops.
 *
 * @param folder - absolute; `v1` is in it
 * @param signal - aborts when the page stops
 * @param Failure - the class of the page library
 * @throws StartError `invalid_option`
 */
export async function forwarding(
  { upstreams: given = [], routes = {} }: ForwardingOptions,
  folder: URL,
  signal: AbortSignal,
  Failure: typeof StartError,
): Promise<Forwarding> {
  const rights = read(() => {
    const all = readUpstreams(given, folder);
    return { upstreams: all, routes: readRoutes(routes, all) };
  }, Failure);
  const { upstreams } = rights;
  const headersOf: HeadersOf = async ({ name, baseURL }) => {
    const at = upstreams.findIndex((each) => each.name === name && each.baseURL === baseURL);
    const found = given[at];
    return found && headersFrom(await found.headers?.());
  };
  const onMessage = ({ data, ports: [port] }: MessageEvent<ToPage | null>) => {
    if (data?.type !== 'slashv1:headers-wanted' || data.base !== folder.href || !port) return;
    const give = (id?: number) => void answer(port, id, headersOf(data));
    port.onmessage = (event: MessageEvent<number>) => give(event.data);
    signal.addEventListener('abort', () => port.close(), { once: true });
    give(data.id);
  };
  serviceWorkers()?.addEventListener('message', onMessage, { signal });
  await Promise.all(upstreams.map((each) => hold(upstreamLock(folder.href, each), signal)));
  return { rights, headersOf };
}

function read<T>(work: () => T, Failure: typeof StartError): T {
  try {
    return work();
  } catch (cause) {
    throw new Failure('invalid_option', messageOf(cause), { cause });
  }
}

/** @throws TypeError if one is no header */
function headersFrom(given: HeadersInit = {}): Record<string, string> {
  return Object.fromEntries(new Headers(given));
}

/** The reason stays in this page's console: it may name a token. */
async function answer(
  port: MessagePort,
  id: number | undefined,
  asked: ReturnType<HeadersOf>,
): Promise<void> {
  try {
    const headers = await asked;
    // Another page may have this upstream.
    if (headers) port.postMessage({ id, headers } satisfies HeadersAnswer);
  } catch (error) {
    console.error(error);
    port.postMessage({ id } satisfies HeadersAnswer);
  }
}

async function hold(name: string, signal: AbortSignal): Promise<void> {
  const release = await holdWebLock(name, 'shared');
  signal.addEventListener('abort', () => void release(), { once: true });
  if (signal.aborted) await release();
}
