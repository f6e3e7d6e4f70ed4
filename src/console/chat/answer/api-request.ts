import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Slashv1 } from '../../../index.ts';
import { hasMembers } from '../../json.ts';
import { messages } from '../../messages/messages.ts';

/** What a request needs of the page's API. */
export type ApiAccess = Pick<Slashv1, 'baseURL' | 'apiKey' | 'fetch'>;

/** The API refused a request, or its answer broke off with an error. */
export class RequestError extends Error {
  /** Undefined for an error within a stream. */
  readonly status: number | undefined;
  /** The API's error object; undefined if the response has none, because it did not come from the API. */
  readonly error: unknown;

  constructor(message: string, status: number | undefined, error: unknown) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.error = error;
  }
}

/**
 * Posts JSON or a form to a path below the base URL.
 *
 * @throws RequestError if the status is not a success; what `fetch` throws
 */
export async function post(
  api: ApiAccess,
  path: string,
  body: object | FormData,
  signal: AbortSignal,
): Promise<Response> {
  return call(api, 'POST', path, signal, body);
}

/**
 * Sends a request to a path below the base URL.
 *
 * @throws RequestError if the status is not a success; what `fetch` throws
 */
export async function call(
  { baseURL, apiKey, fetch: ask }: ApiAccess,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  signal: AbortSignal,
  body?: object | FormData,
): Promise<Response> {
  const isForm = body instanceof FormData;
  const headers = {
    authorization: `Bearer ${apiKey}`,
    // The browser names the boundary of a form.
    ...(!isForm && body && { 'content-type': 'application/json' }),
  };
  const sent = isForm ? body : body && JSON.stringify(body);
  const init = { method, headers, signal, ...(sent !== undefined && { body: sent }) };
  const response = await ask(baseURL + path, init);
  if (response.ok) return response;
  const failure: unknown = await response.json().catch(() => undefined);
  throw new RequestError(`HTTP ${response.status}`, response.status, errorOf(failure));
}

/** Yields the objects of a stream. Throws a RequestError if the stream ends without `[DONE]`, or with an error. */
export async function* chunksOf({ body }: Response): AsyncGenerator<object> {
  const events = body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { value } = (await events?.read()) ?? {};
      if (!value) throw new RequestError(messages.value.failure.brokeOff, undefined, {});
      if (value.data === '[DONE]') return;
      const chunk: unknown = JSON.parse(value.data);
      const error = errorOf(chunk);
      if (error !== undefined)
        throw new RequestError(messages.value.failure.brokeOff, undefined, error);
      if (hasMembers(chunk)) yield chunk;
    }
  } finally {
    await events?.cancel();
  }
}

function errorOf(body: unknown): unknown {
  return hasMembers(body) && 'error' in body ? body.error : undefined;
}

/** Name of the upstream that answers; undefined: this device does. */
export function upstreamOf({ headers }: Response): string | undefined {
  return /^upstream; name=(.+)$/.exec(headers.get('x-slashv1-served-by') ?? '')?.[1];
}
