import { faultMessage, type JobFault, type JobPart } from './job-fault.ts';
import { messageOf } from '../text/message-of.ts';

/** The sizes of a prompt that does not fit, in tokens. */
export interface Overflow {
  /** Undefined: it was not counted, because it is far too long. */
  prompt?: number;
  context: number;
}

/** The content of the API's error responses, and of errors that cross realms. */
export interface ApiErrorData {
  /** HTTP status. */
  status: number;
  /** Class of error, e.g. `invalid_request_error`, `requests`, `server_error`. */
  type: string;
  /** Machine-readable code, e.g. `model_not_found`, or null. */
  code: string | null;
  /** Path of the offending request field, e.g. `messages[1].content`, or null. */
  param: string | null;
  message: string;
  /** Further codes, for clients of Anthropic's API. */
  details?: Record<string, string>;
  /** Sizes of a prompt that does not fit and of the context, tokens. */
  overflow?: Overflow;
  /** Set by engines, which know jobs but not requests; `param` is then the path in the job. */
  fault?: JobFault;
  /** For 429: after how many milliseconds a retry makes sense. */
  retryAfterMs?: number;
  /** False if a retry cannot help. Sent as `x-should-retry`: otherwise the openai package retries every 5xx. */
  retryable?: boolean;
  /** For 405: the methods that are allowed. */
  allow?: string;
}

/** The last moment that a Date can hold, Unix milliseconds. */
const MAX_TIME = 8.64e15;

/** The one error class of the API: thrown anywhere, rendered in one place. */
export class ApiError extends Error {
  readonly data: ApiErrorData;

  constructor(data: ApiErrorData) {
    super(data.message);
    this.name = 'ApiError';
    this.data = data;
  }
}

/** A refusal of the request, with this status. */
export function refusal(
  status: number,
  message: string,
  code: string | null = null,
  param: string | null = null,
): ApiError {
  return new ApiError({ status, type: 'invalid_request_error', code, param, message });
}

/** 400: the request itself is at fault. */
export function invalidRequest(
  message: string,
  param: string | null = null,
  code: string | null = null,
): ApiError {
  return refusal(400, message, code, param);
}

/** 400: the request asks for a feature that this model or this server lacks. */
export function unsupportedValue(message: string, param: string): ApiError {
  return invalidRequest(message, param, 'unsupported_value');
}

/**
 * 400: a part of the job is at fault.
 *
 * @param text - what is wrong, as the end of a sentence about the part: `must be an object.`
 * @param details - `path` is below the part, e.g. `[0].parameters`
 */
export function jobFault(
  part: JobPart,
  text: string,
  { path = '', code = null, overflow }: JobFaultOptions = {},
): ApiError {
  const param = part + path;
  const { data } = invalidRequest(faultMessage(param, text), param, code);
  return new ApiError({ ...data, fault: { part, path, text }, ...(overflow && { overflow }) });
}

interface JobFaultOptions {
  path?: string;
  code?: string | null;
  /** The sizes of a text that is too long. */
  overflow?: Overflow;
}

/** 400: the prompt is at fault, for a reason whose message does not name the field. */
export function promptFault(message: string, code: string | null = null): ApiError {
  const { data } = invalidRequest(message, 'prompt', code);
  return new ApiError({ ...data, fault: { part: 'prompt', path: '' } });
}

/**
 * 400: the prompt does not fit.
 *
 * @param limit - what would fit, and the size of the prompt: `8 tokens; the prompt has 9`
 * @param overflow - both as numbers of tokens, as far as they are known
 */
export function contextOverflow(limit: string, overflow?: ApiErrorData['overflow']): ApiError {
  const message = `This model's maximum context length is ${limit}.`;
  const { data } = promptFault(message, 'context_length_exceeded');
  return new ApiError({ ...data, ...(overflow && { overflow }) });
}

/** 400: the prompt does not fit. Both sizes are in tokens. */
export function promptTooLong(prompt: number, context: number): ApiError {
  return contextOverflow(`${context} tokens; the prompt has ${prompt}`, { prompt, context });
}

/**
 * 400: an image of the request cannot be shown to a model.
 *
 * @param field - where the request has it
 * @param fault - what is wrong, as the end of a sentence about it: `is not an image.`
 */
export function invalidImage(field: string, fault: string): ApiError {
  return invalidRequest(`'${field}' ${fault}`, field, 'invalid_image');
}

/** 401: the key is missing, unknown or revoked. */
export function invalidKey(message: string): ApiError {
  return refusal(401, message, 'invalid_api_key');
}

/** 401: the key was valid until then, Unix milliseconds. */
export function keyExpired(at: number): ApiError {
  return refusal(401, `This API key expired at ${isoTime(at)}.`, 'api_key_expired');
}

/** 403: the key is valid, but not for this model. */
export function modelNotAllowed(id: string): ApiError {
  return refusal(403, `This API key may not use the model '${id}'.`, 'model_not_allowed', 'model');
}

/** 403: the key is valid, but not for this endpoint. */
export function endpointNotAllowed(endpoint: string, allowed: readonly string[]): ApiError {
  return refusal(
    403,
    `This API key may not use the endpoint '${endpoint}'. It is for ${allowed.join(', ') || 'none'}.`,
    'endpoint_not_allowed',
  );
}

/** 403: the key may use models, but not load or remove them. */
export function managingNotAllowed(): ApiError {
  return refusal(
    403,
    'This API key may not manage models: create it with { manageModels: true }.',
    'managing_not_allowed',
  );
}

/** 404: the model is unknown, or known but not installed. */
export function modelNotFound(id: string, hint = ''): ApiError {
  return refusal(
    404,
    `The model '${id}' does not exist or is not installed.${hint && ` ${hint}`}`,
    'model_not_found',
    'model',
  );
}

/** 404: the model is known, but its weights are not on this device. */
export function notInstalled(id: string): ApiError {
  const how = `The catalog knows it: models.install('${id}') downloads it, and with the option`;
  return modelNotFound(id, `${how} autoInstall of start() or of a key, requests do so themselves.`);
}

/** A request body may hold at most this many bytes, wherever it is read. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** 413: the request body is over the limit. */
export function bodyTooLarge(limit = MAX_BODY_BYTES): ApiError {
  return tooLarge('The request body', limit, null);
}

/** 413: the body has more values than are checked in one go. */
export function tooManyValues(most: number): ApiError {
  const message = `The request body has more than ${most} values.`;
  return refusal(413, message, 'request_too_large');
}

/** 413: a file of the request is over the limit, bytes. */
export function fileTooLarge(field: string, limit: number): ApiError {
  return tooLarge(`'${field}'`, limit, field);
}

function tooLarge(what: string, limit: number, param: string | null): ApiError {
  return refusal(413, `${what} is larger than ${limit} bytes.`, 'request_too_large', param);
}

/** Codes of failures on our side, and whether a retry may help. */
const SERVER_ERRORS = {
  engine_error: true,
  site_file_broken: false,
  timeout: false,
  webgpu_unavailable: false,
  out_of_memory: false,
  load_crashed: false,
  storage_full: false,
  storage_blocked: true,
  download_paused: false,
  model_unusable: false,
} as const;

/** 500: the engine, the device or the storage failed. */
export function serverError(code: keyof typeof SERVER_ERRORS, message: string): ApiError {
  return new ApiError({
    status: 500,
    type: 'server_error',
    code,
    param: null,
    message,
    retryable: SERVER_ERRORS[code],
  });
}

/**
 * 500: the model's own files are wrong.
 *
 * @param fault - what is wrong, e.g. `its config.json is not valid JSON`
 */
export function modelUnusable(id: string, fault: string): ApiError {
  return serverError('model_unusable', `The model '${id}' cannot be used: ${fault}.`);
}

/** 429: the queue is full. `retryAfterMs` is estimated from the measured speed. */
export function rateLimited(message: string, retryAfterMs: number): ApiError {
  return new ApiError({
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    param: null,
    message,
    retryAfterMs,
  });
}

/**
 * 429: the key has used its tokens for the day.
 *
 * @param reset - when the budget is full again, Unix milliseconds
 */
export function tokenBudgetExceeded(tokens: number, reset: number): ApiError {
  return new ApiError({
    ...rateLimited(
      `This API key may use ${tokens} tokens a day. It can be used again from ${isoTime(reset)}.`,
      Math.max(0, reset - Date.now()),
    ).data,
    code: 'token_budget_exceeded',
    // An automatic retry of the client would fail again.
    retryable: false,
  });
}

function isoTime(at: number): string {
  // Beyond this, a Date has no text.
  return new Date(Math.min(Math.max(at, -MAX_TIME), MAX_TIME)).toISOString();
}

/** The engine is gone or about to be replaced: another one may take the job over. */
export class EngineLost extends ApiError {
  /** Whether the job broke it; otherwise its tab or worker just ended. */
  readonly broke: boolean;
  /** Whether the engine was working on the job when it ended, as far as its events tell. */
  readonly wasWorking: boolean;

  constructor(
    data: ApiErrorData,
    options: ErrorOptions & { broke: boolean; wasWorking?: boolean },
  ) {
    super(data);
    this.name = 'EngineLost';
    this.broke = options.broke;
    this.wasWorking = options.wasWorking ?? false;
    this.cause = options.cause;
  }
}

/** The engine was released because no client read the answer's events. A new run continues when they are read. */
export class Unread extends Error {}

/** Error data of any thrown value. Values other than an ApiError become a 500 `engine_error`. */
export function toErrorData(error: unknown): ApiErrorData {
  if (error instanceof ApiError) return error.data;
  const message = messageOf(error);
  return serverError('engine_error', message || 'The engine failed.').data;
}
