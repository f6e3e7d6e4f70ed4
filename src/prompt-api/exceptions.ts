/** The exceptions of the Prompt API. */

type QuotaExceededConstructor = new (
  message: string,
  options: { quota: number; requested: number },
) => DOMException;

/**
 * A `QuotaExceededError`. Browsers that lack this class get a DOMException with the same properties.
 *
 * @param requested - tokens that the input takes
 * @param quota - tokens of the context window
 */
export function quotaExceeded(requested: number, quota: number): DOMException {
  const message = `The input takes ${requested} tokens, but the context window has ${quota}.`;
  const Native: unknown = Reflect.get(globalThis, 'QuotaExceededError');
  if (isConstructor(Native)) return new Native(message, { quota, requested });
  const error = new DOMException(message, 'QuotaExceededError');
  return Object.assign(error, { quota, requested });
}

function isConstructor(value: unknown): value is QuotaExceededConstructor {
  return typeof value === 'function';
}

export function notSupported(message: string): DOMException {
  return new DOMException(message, 'NotSupportedError');
}

/** The fields in which a constraint reaches the API. Errors name them, but pages do not know them. */
const CONSTRAINT_FIELD = /'guided_(?:regex|json)/;

interface ErrorBody {
  message: string;
}

/** Converts an error of the HTTP API to an exception of the Prompt API. */
export function exceptionOf(status: number, body: unknown): DOMException {
  const message = hasError(body) ? body.error.message : `The API answered with status ${status}.`;
  return new DOMException(message.replace(CONSTRAINT_FIELD, "'responseConstraint"), nameOf(status));
}

function nameOf(status: number): string {
  if (status === 400) return 'NotSupportedError';
  return status === 401 || status === 403 ? 'NotAllowedError' : 'UnknownError';
}

function hasError(body: unknown): body is { error: ErrorBody } {
  return typeof body === 'object' && body !== null && 'error' in body;
}

/**
 * Reads a number from a response body of the HTTP API.
 *
 * @throws DOMException UnknownError if the body has no number of this name
 */
export function numberOf(body: unknown, name: string): number {
  const value: unknown = typeof body === 'object' && body !== null && Reflect.get(body, name);
  if (typeof value === 'number') return value;
  throw new DOMException(`The API answered without '${name}'.`, 'UnknownError');
}
