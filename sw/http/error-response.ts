import { refusal, type ApiErrorData } from '../../src/core/errors/errors.ts';

/** The API whose clients read the error. */
export type ErrorStyle = 'openai' | 'anthropic';

/** The one place where an error becomes a response. */
export function errorResponse(
  data: ApiErrorData,
  style: ErrorStyle = 'openai',
  requestId?: string,
): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  if (data.retryAfterMs !== undefined) {
    headers.set('retry-after', String(Math.ceil(data.retryAfterMs / 1000)));
    headers.set('retry-after-ms', String(Math.ceil(data.retryAfterMs)));
  }
  if (data.retryable === false) headers.set('x-should-retry', 'false');
  if (data.allow !== undefined) headers.set('allow', data.allow);
  const body =
    style === 'openai'
      ? { error: errorBody(data) }
      : { ...anthropicError(data), request_id: requestId };
  return Response.json(body, { status: data.status, headers });
}

/** The answer to a navigation, such as another site's top-level form or window.open. No API client navigates. */
export function navigationRefused(): Response {
  return errorResponse(refusal(403, 'This is an API; it does not answer navigations.').data);
}

/** An error repeats at most this many characters of a text from the request. */
const MAX_ECHO = 1_000;

/** The four keys of an error, all always present. A prompt that does not fit has two more. */
export function errorBody({ message, type, param, code, overflow }: ApiErrorData) {
  return {
    message: shortened(message),
    type,
    param: param && shortened(param),
    code,
    ...(overflow?.prompt !== undefined && { n_prompt_tokens: overflow.prompt }),
    ...(overflow && { n_ctx: overflow.context }),
  };
}

const ANTHROPIC_TYPES: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

/** An error as Anthropic's clients read it. */
export function anthropicError(data: ApiErrorData) {
  const { status, code, param, details } = data;
  const type = status >= 500 ? 'api_error' : (ANTHROPIC_TYPES[status] ?? 'invalid_request_error');
  const error = { type, message: shortened(anthropicMessage(data)), param, code };
  return { type: 'error', error: details ? { ...error, details } : error };
}

/** Names the field first, in Anthropic's way: `messages.0.content: is required.` */
function anthropicMessage({ message, param, code, overflow }: ApiErrorData): string {
  if (code === 'context_length_exceeded') {
    // LangChain makes its own error of these words.
    const sizes =
      overflow?.prompt !== undefined && `${overflow.prompt} tokens > ${overflow.context} maximum`;
    return `prompt is too long: ${sizes || message}`;
  }
  if (param === null) return message;
  const path = param.replaceAll(/\[(\d+)\]/g, '.$1');
  return `${path}: ${message.startsWith(`'${param}' `) ? message.slice(param.length + 3) : message}`;
}

function shortened(text: string): string {
  return text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text;
}
