import type { ApiErrorData } from '../../src/core/protocol/errors.ts';

/** The one place where an error becomes a response. */
export function errorResponse(data: ApiErrorData): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  if (data.retryAfterMs !== undefined) {
    headers.set('retry-after', String(Math.ceil(data.retryAfterMs / 1000)));
    headers.set('retry-after-ms', String(Math.ceil(data.retryAfterMs)));
  }
  if (data.retryable === false) headers.set('x-should-retry', 'false');
  if (data.allow !== undefined) headers.set('allow', data.allow);
  return Response.json({ error: errorBody(data) }, { status: data.status, headers });
}

/** For another site's top-level form or window.open: it arrives here, but no API client navigates. */
export function navigationRefused(): Response {
  return errorResponse({
    status: 403,
    type: 'invalid_request_error',
    code: null,
    param: null,
    message: 'This is an API; it does not answer navigations.',
  });
}

/** An error repeats at most this many characters of a text from the request. */
const MAX_ECHO = 1_000;

/** The four keys of an error, all always present. */
export function errorBody({ message, type, param, code }: ApiErrorData) {
  return { message: shortened(message), type, param: param && shortened(param), code };
}

function shortened(text: string): string {
  return text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text;
}
