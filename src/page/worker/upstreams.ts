import type { HeadersAnswer, ToPage } from '../../core/realms/messages.ts';
import type { HeadersOf } from '../../core/realms/page-api.ts';
import { readRoutes } from '../../core/realms/routes.ts';
import { readUpstreams, upstreamLock, type Upstream } from '../../core/realms/upstreams.ts';
import { holdWebLock } from '../../core/port/web-lock.ts';
import type { StoredKey } from '../../core/database/database.ts';
import { readFileRights } from './file-rights.ts';
import { readServers } from './mcp-servers.ts';
import { readPromptCacheRights } from './prompt-cache-rights.ts';
import type { StartError } from '../api/api.ts';
import { serviceWorkers } from '../platform.ts';
import type { StartOptions } from '../start-options.ts';
import { messageOf } from '../../core/text/message-of.ts';

/**
 * The options of `start` that say where requests may go, what may be written down for them, what they may store, and the servers
 * that they may call.
 */
export type ForwardingOptions = {
  [Name in 'upstreams' | 'routes' | 'hear' | 'files' | 'promptCache' | 'mcp']?:
    StartOptions[Name] | undefined;
};

/** What the keys of a page may do because of these options. */
export type KeyRights = Pick<
  StoredKey,
  'upstreams' | 'routes' | 'hear' | 'files' | 'promptCache' | 'mcp'
>;

/** What a page does with these options. */
export interface Forwarding {
  /** Rights of the page's keys. */
  rights: KeyRights & Pick<Required<StoredKey>, 'upstreams'>;
  /** The headers of upstreams, for requests that this page answers itself. */
  headersOf: HeadersOf;
}

/**
 * Gives the headers of upstreams to the service worker until the page stops.
 *
 * @param folder - absolute; `v1` is in it
 * @param signal - aborts when the page stops
 * @param Failure - the class of the page library
 * @throws StartError `invalid_option`
 */
export async function forwarding(
  { upstreams: given = [], routes = {}, hear, files = false, promptCache, mcp }: ForwardingOptions,
  folder: URL,
  signal: AbortSignal,
  Failure: typeof StartError,
): Promise<Forwarding> {
  const [rights, constant] = read(() => {
    const all = readUpstreams(given, folder);
    const headers = given.map((each) =>
      typeof each.headers === 'function' ? undefined : headersFrom(each.headers),
    );
    if (hear !== undefined && (typeof hear !== 'string' || hear === '')) {
      throw new TypeError('hear must be the id of a model.');
    }
    const heard = hear !== undefined && { hear };
    const kept = files !== false && { files: readFileRights(files) };
    const cached = promptCache !== undefined && readPromptCacheRights(promptCache);
    const called = mcp !== undefined && { mcp: readServers(mcp) };
    const granted = {
      upstreams: all,
      routes: readRoutes(routes, all),
      ...heard,
      ...kept,
      ...(cached && { promptCache: cached }),
      ...called,
    };
    return [granted, headers];
  }, Failure);
  const { upstreams } = rights;
  const life = `slashv1:headers:${crypto.randomUUID()}`;
  const placeOf = ({ name, baseURL }: Pick<Upstream, 'name' | 'baseURL'>) =>
    upstreams.findIndex((each) => each.name === name && each.baseURL === baseURL);
  const headersOf: HeadersOf = async (upstream) => {
    const at = placeOf(upstream);
    const headers = given[at]?.headers;
    return typeof headers === 'function' ? headersFrom(await headers()) : constant[at];
  };
  const onMessage = ({ data, ports: [port] }: MessageEvent<ToPage | null>) => {
    if (data?.type !== 'slashv1:headers-wanted' || data.base !== folder.href || !port) return;
    const known = { ...(constant[placeOf(data)] && { lock: life }) };
    const give = (id: number) => void answer(port, { ...known, id }, headersOf(data));
    port.onmessage = (event: MessageEvent<number>) => give(event.data);
    signal.addEventListener('abort', () => port.close(), { once: true });
    give(data.id);
  };
  serviceWorkers()?.addEventListener('message', onMessage, { signal });
  const locks = upstreams.map((each) => upstreamLock(folder.href, each));
  await Promise.all([
    ...locks.map((name) => hold(name, 'shared', signal)),
    hold(life, 'exclusive', signal),
  ]);
  return { rights, headersOf };
}

function read<T>(work: () => T, Failure: typeof StartError): T {
  try {
    return work();
  } catch (cause) {
    throw new Failure('invalid_option', messageOf(cause), { cause });
  }
}

/** @throws TypeError if one is not a valid header */
function headersFrom(given: HeadersInit = {}): Record<string, string> {
  return Object.fromEntries(new Headers(given));
}

/**
 * Answers a question for headers. If they cannot be given, the reason stays in this page's console: it may name a
 * token.
 */
async function answer(
  port: MessagePort,
  empty: HeadersAnswer,
  asked: ReturnType<HeadersOf>,
): Promise<void> {
  try {
    const headers = await asked;
    // Without headers, this page does not answer: another page may have this upstream.
    if (headers) port.postMessage({ ...empty, headers } satisfies HeadersAnswer);
  } catch (error) {
    console.error(error);
    port.postMessage(empty);
  }
}

async function hold(name: string, mode: LockMode, signal: AbortSignal): Promise<void> {
  const release = await holdWebLock(name, mode);
  signal.addEventListener('abort', () => void release(), { once: true });
  if (signal.aborted) await release();
}
