import { SERVED_BY_HEADER, type Upstream } from '../../src/core/realms/upstreams.ts';
import type { KeptRequest } from '../http/kept-request.ts';
import type { HeadersOf } from './upstream-fetch.ts';
import { TIMEOUT_MS, upstreamFetch } from './upstream-fetch.ts';
import { wholeStream } from './whole-stream.ts';

/** Headers of the client that an upstream gets: none that could tell who it is. */
const PASSED = [
  ...['accept', 'content-type', 'content-encoding'],
  ...['anthropic-version', 'anthropic-beta', 'openai-beta'],
];

/** Where a request goes on, beside the upstream. */
export interface Forwarding {
  headersOf: HeadersOf;
  /** Of the endpoint, as routes name it: `v1/chat/completions`. */
  path: string;
  /** Aborts when the client hangs up, if that can be known. */
  signal?: AbortSignal | undefined;
}

/** Whether an upstream gets requests to this endpoint. Management is for this device. */
export function takesEndpoint({ endpoints }: Upstream, path: string): boolean {
  const endpoint = path.replace(/^v1\/|\/$/g, '');
  return endpoints?.includes(endpoint) ?? !endpoint.startsWith('models/');
}

/** The upstream's answer. @throws ApiError 502, 503, 504 */
export async function forward(
  upstream: Upstream,
  { request, headers: given, body }: Omit<KeptRequest, 'body'> & Partial<Pick<KeptRequest, 'body'>>,
  { headersOf, path, signal }: Forwarding,
): Promise<Response> {
  const headers = new Headers();
  for (const name of PASSED) {
    const value = given.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { search } = new URL(request.url);
  const response = await upstreamFetch(upstream, headersOf, {
    path: path.slice('v1'.length) + search,
    method: request.method,
    headers,
    ...(body && { body }),
    ...(signal && { signal }),
  });
  return passed(response, path, upstream);
}

/** The answer as it came. Its length was that of its encoding. */
function passed(
  response: Response,
  path: string,
  { name, timeoutMs = TIMEOUT_MS }: Upstream,
): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const each of ['content-length', 'content-encoding', 'transfer-encoding']) {
    headers.delete(each);
  }
  headers.set(SERVED_BY_HEADER, `upstream; name=${name}`);
  const isStream = /^text\/event-stream/i.test(headers.get('content-type') ?? '');
  const body =
    response.body && isStream && response.ok
      ? wholeStream(response.body, path, name, timeoutMs)
      : response.body;
  return new Response(body, { status, statusText, headers });
}
