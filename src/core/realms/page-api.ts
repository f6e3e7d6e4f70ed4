import type { HostPort } from '../port/engine-port.ts';
import type { Interception } from './interception.ts';
import type { Upstream } from './upstreams.ts';

/** The HTTP API for pages, in `dist/lib` and beside `sw.js`. A page imports it when it first needs it. */
export const PAGE_API = 'api.js';

/**
 * What pages need for an engine that outlives them, in `dist/lib` and beside `sw.js`. It is a file of its own, because each
 * of them waits for it; `api.js` takes several times as long.
 */
export const OUTLIVING = 'outlive.js';

/** `slashv1/prompt-api`, in `dist/lib` and beside `slashv1.js`, which it imports. */
export const PROMPT_API = 'prompt-api.js';

/** Gives a new port to the engine host; rejects with the signal's reason if it aborts first. */
export type RequestPort = (signal: AbortSignal) => Promise<HostPort>;

/** Gives the headers for one request to an upstream; undefined: this page has no such upstream. */
export type HeadersOf = (
  upstream: Pick<Upstream, 'name' | 'baseURL'>,
) => Promise<Record<string, string> | undefined>;

/** What the API needs of the page that it runs in. */
export interface ApiPage {
  /** Absolute URL of the folder that `v1` is in; ends in "/". */
  base: string;
  requestPort: RequestPort;
  /** Closes the connection to the engine when it aborts. */
  stopping: AbortSignal;
  /** Undefined: the page has no upstreams. */
  headersOf?: HeadersOf | undefined;
}

/** The page that wants a signed URL. */
export interface SpeechUrlPage extends Pick<ApiPage, 'base'> {
  /** The API key that signs. */
  key: string;
  /** Without one, nobody would answer the URL. */
  hasServiceWorker: boolean;
}

/** What `api.js` exports. */
export interface PageApi {
  /** Version of the package. */
  VERSION: string;
  /** The API as a function: it answers requests below `base` and does with them what `fetch` does. */
  apiFetch(page: ApiPage): (request: Request) => Promise<Response>;
  /**
   * The function that answers requests to this address in place of a service, as `apiFetch` does; undefined: the
   * address is not of any service.
   */
  interceptorOf(
    page: ApiPage,
    interception: Interception,
  ): (url: URL) => ((request: Request) => Promise<Response>) | undefined;
  /**
   * A signed URL that plays a speech.
   *
   * @param request - the fields of a speech request
   */
  speechUrl(page: SpeechUrlPage, request: object): Promise<string>;
  /** See tab-channel.ts. */
  requestPortOfTabs(
    base: string,
    own: () => Promise<HostPort | undefined>,
    signal: AbortSignal,
  ): Promise<HostPort>;
  /** See tab-channel.ts. */
  answerTab(nonce: string, attach: () => Promise<HostPort | undefined>): Promise<void>;
}
