import { SERVED_BY_HEADER, type Upstream } from '../../src/core/realms/upstreams.ts';
import type { Context } from '../context.ts';
import { upstreamError } from './upstream-errors.ts';
import { TIMEOUT_MS, upstreamFetch, type HeadersOf } from './upstream-fetch.ts';
import { wholeStream } from './whole-stream.ts';

/** Headers of the client that an upstream gets. They must not tell who the client is. */
const PASSED = [
  ...['accept', 'content-type', 'content-encoding'],
  ...['anthropic-version', 'anthropic-beta', 'openai-beta'],
];

/** Whether an upstream gets requests to this endpoint. Management is for this device. */
export function takesEndpoint({ endpoints }: Upstream, path: string): boolean {
  const endpoint = path.replace(/^v1\/|\/$/g, '');
  return endpoints?.includes(endpoint) ?? !endpoint.startsWith('models/');
}

/** The upstream's answer. @throws ApiError 400, 502, 503, 504 */
export async function forward(
  upstream: Upstream,
  { request, body, path, signal }: Pick<Context, 'request' | 'body' | 'path' | 'signal'>,
  headersOf: HeadersOf,
): Promise<Response> {
  const headers = new Headers();
  for (const name of PASSED) {
    const value = body.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { method, url } = request;
  const response = await upstreamFetch(upstream, headersOf, {
    path: path.slice('v1'.length) + new URL(url).search,
    method,
    headers,
    signal,
    ...(method === 'POST' && { body: await body.raw() }),
  });
  return passed(response, path, upstream);
}

/** What a response can say beside its status. */
const STATUS_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The statuses of responses that have no body; the constructor takes none for them. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** The upstream's answer, without the headers of its encoding: `fetch` has decoded the body. */
function passed(
  response: Response,
  path: string,
  { name, timeoutMs = TIMEOUT_MS }: Upstream,
): Response {
  const { status } = response;
  // Networks let such answers through, but none can be made.
  if (status < 200 || status > 599) throw upstreamError(name, 'upstream_invalid');
  const statusText = STATUS_TEXT.test(response.statusText) ? response.statusText : '';
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
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, statusText, headers });
}
