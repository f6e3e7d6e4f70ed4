/** An error of the API as the console shows it. */
export interface Failure {
  message: string;
  /** The API's code (`model_not_found`), else the HTTP status (`429`), else empty. */
  code: string;
  /** What the user can do, if the console knows more than the message says; else empty. */
  hint: string;
}

const HINTS: Record<string, string> = {
  context_length_exceeded: 'This conversation is too long for the model. Start a new chat.',
  model_not_found: 'Choose another model below the text field.',
  out_of_memory: 'Choose a smaller model, or close other tabs that use much memory.',
  load_crashed: 'Choose a smaller model, or close other tabs that use much memory and ask again.',
  webgpu_unavailable: 'Choose another model below the text field.',
  storage_full: 'Delete a model that you no longer need, or free some disk space.',
  rate_limit_exceeded: 'Other requests are waiting for this model. Try again in a moment.',
  invalid_api_key: 'The key of this page is no longer valid. Reload the page to get a new one.',
  connection:
    'The page may have lost its service worker. If a retry does not help, reload the page.',
};

/**
 * Describes anything that a request threw. Errors of the openai package carry the API's error object as
 * `error`. Their own `message` has the status in front, so the object's message is preferred.
 */
export function describeFailure(thrown: unknown): Failure {
  const body = property(thrown, 'error');
  const message = apiErrorMessage(thrown) || text(property(thrown, 'message'));
  const code = text(property(body, 'code'));
  const shown = code || statusOf(thrown);
  return { message: message || 'The request failed.', code: shown, hint: hintFor(code, body) };
}

/** The message in `{ error: { message } }`, the form of the API's error bodies; empty if there is none. */
export function apiErrorMessage(body: unknown): string {
  return text(property(property(body, 'error'), 'message'));
}

/** Without an error object, the error did not come from the API but from the network or a web server. */
function hintFor(code: string, body: unknown): string {
  return HINTS[body === undefined ? 'connection' : code] ?? '';
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function statusOf(thrown: unknown): string {
  const status = property(thrown, 'status');
  return typeof status === 'number' ? String(status) : '';
}
