import {
  ApiError,
  contextOverflow,
  jobFault,
  modelNotFound,
  promptFault,
  promptTooLong,
  serverError,
} from '../../core/errors/errors.ts';
import { BUILT_IN_MODEL } from '../../core/realms/built-in.ts';

const CLICK = `The browser downloads it only after a click: call models.install('${BUILT_IN_MODEL}') in a click's handler.`;

/** What the browser was doing when it failed. */
export interface Attempt {
  /** Whether the answer had to have a format. */
  hasFormat: boolean;
  /** Whether a part of the answer is already written. */
  hasBegun: boolean;
  /** Size of the context window, tokens. */
  window: number;
}

/** Converts an error of the browser's model to an ApiError. */
export function failureOf(error: unknown, { hasFormat, hasBegun, window }: Attempt): ApiError {
  if (error instanceof ApiError) return error;
  const { name, message, requested, quota } = describe(error);
  switch (name) {
    case 'QuotaExceededError':
      return typeof requested === 'number' && typeof quota === 'number'
        ? promptTooLong(requested, quota)
        : contextOverflow(
            window > 0 ? `${window} tokens; the prompt has more` : 'exceeded',
            window > 0 ? { context: window } : undefined,
          );
    case 'NotAllowedError':
      return modelNotFound(BUILT_IN_MODEL, CLICK);
    case 'NotSupportedError':
    case 'SyntaxError':
    case 'TypeError':
      if (hasBegun) break;
      return hasFormat
        ? jobFault('format', `is not supported by the browser: ${message}`, UNSUPPORTED)
        : promptFault(`The browser does not take this prompt: ${message}`, UNSUPPORTED.code);
    default:
  }
  return serverError('engine_error', `The browser's model failed: ${message}`);
}

const UNSUPPORTED = { code: 'unsupported_value' };

function describe(error: unknown): { name: string; message: string } & Record<string, unknown> {
  if (!(error instanceof Error || error instanceof DOMException)) {
    return { name: '', message: String(error) };
  }
  const { name, message } = error;
  // Only newer browsers have a class for this error.
  return {
    name,
    message: message || name,
    requested: Reflect.get(error, 'requested'),
    quota: Reflect.get(error, 'quota'),
  };
}
