import { ApiError } from '../../src/core/errors/errors.ts';
import type { Upstream } from '../../src/core/realms/upstreams.ts';
import type { RawBody } from '../http/request-body.ts';
import { upstreamError } from './upstream-errors.ts';

/** Gives the headers that an upstream wants, for one request. @throws ApiError 503 */
export type HeadersOf = (upstream: Upstream) => Promise<Record<string, string>>;

/** The timeout of the official clients. */
export const TIMEOUT_MS = 600_000;

/** What is sent to an upstream. */
export interface UpstreamRequest {
  /** Below the upstream's base URL, with its query: `/models`. */
  path: string;
  method: string;
  headers: Headers;
  body?: RawBody;
  /** Ends the request and the answer when it aborts. */
  signal?: AbortSignal;
  /** Milliseconds until the answer begins. */
  timeoutMs?: number;
}

/**
 * The upstream's answer, whatever its status.
 *
 * @throws ApiError 502, 503, 504; the signal's reason if it aborts
 */
export async function upstreamFetch(
  upstream: Upstream,
  headersOf: HeadersOf,
  { path, method, headers, body, signal, timeoutMs }: UpstreamRequest,
): Promise<Response> {
  const { name, baseURL } = upstream;
  for (const [header, value] of Object.entries(await headersOf(upstream))) {
    headers.set(header, value);
  }
  const late = new AbortController();
  const wait = timeoutMs ?? upstream.timeoutMs ?? TIMEOUT_MS;
  const timer = setTimeout(() => late.abort(upstreamError(name, 'upstream_timeout')), wait);
  try {
    const response = await fetch(baseURL + path, {
      method,
      headers,
      ...(body && { body }),
      redirect: 'manual',
      credentials: 'omit',
      cache: cacheOf(method),
      referrerPolicy: 'no-referrer',
      signal: signal ? AbortSignal.any([late.signal, signal]) : late.signal,
    });
    if (!isRedirect(response)) return response;
    await response.body?.cancel();
    throw upstreamError(name, 'upstream_redirected');
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    throw upstreamError(name, 'upstream_unreachable');
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Answers are never cached. Chromium caches no answer to POST. With `no-store`, it would send a CORS preflight before
 * each request, however long the upstream lets it cache the result.
 */
function cacheOf(method: string): RequestCache {
  return method === 'POST' && 'userAgentData' in navigator ? 'default' : 'no-store';
}

/** Whether this is a redirect. Browsers show an empty response in its place, others show the redirect itself. */
function isRedirect({ type, status, headers }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('location'));
}
