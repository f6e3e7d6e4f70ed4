/** An error of the API as the console shows it. */
export interface Failure {
  message: string;
  /** `model_not_found`, `429`, or empty where there is neither code nor status. */
  code: string;
  /** What to do about it, where the console knows more than the message says. */
  hint: string;
}

const HINTS: Record<string, string> = {
  context_length_exceeded: 'This conversation has outgrown the model. Start a new chat.',
  model_not_found: 'Choose another model below the text field.',
  out_of_memory: 'Choose a smaller model, or close other tabs that use the graphics processor.',
  storage_full: 'Remove a model that you no longer need, or free some disk space.',
  rate_limit_exceeded: 'Other requests are waiting for this model. Try again in a moment.',
  invalid_api_key: 'The key of this page has ended. Reload the page for a new one.',
  connection:
    'The page may have lost its service worker. If a retry does not help, reload the page.',
};

/**
 * Anything a request threw. The openai package's errors carry the API's error object as `error`;
 * its own `message` repeats the status in front, so the object's message is the better one.
 */
export function describeFailure(thrown: unknown): Failure {
  const body = property(thrown, 'error');
  const message = text(property(body, 'message')) || text(property(thrown, 'message'));
  const code = text(property(body, 'code'));
  const shown = code || statusOf(thrown);
  return { message: message || 'The request failed.', code: shown, hint: hintFor(code, body) };
}

/** Without an error object it was not the API that answered, but the network or a plain web server. */
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
