import { member } from '../../json.ts';
import { messages } from '../../messages/messages.ts';
import type { StoredAttachment } from '../attachments/attachment.ts';

/** What is too long for a model: the last message alone, or only the chat as a whole. */
export type TooLong = 'message' | 'chat';

/** An error of the API as the console shows it. */
export interface Failure {
  message: string;
  /** The API's code (`model_not_found`), else the HTTP status (`429`), else empty. */
  code: string;
  /** What the user can do, if the console knows more than the message says; else empty. */
  hint: string;
  /** If the conversation is too long: its tokens, and the tokens that the model can hold. */
  overflow?: { prompt: number; context: number };
  /** If the question is too long: whether its message alone is. */
  tooLong?: TooLong;
  /** If files of the chat are to be searched that are no longer stored: those files. */
  gone?: StoredAttachment;
}

/**
 * Describes anything that a request threw. A RequestError carries the API's error object as `error`, whose message
 * says more than its own.
 */
export function describeFailure(thrown: unknown): Failure {
  const body = member(thrown, 'error');
  const message = apiErrorMessage(thrown) || text(member(thrown, 'message'));
  const code = text(member(body, 'code'));
  const shown = code || statusOf(thrown);
  const overflow = overflowOf(body);
  return {
    message: message || messages.value.failure.failed,
    code: shown,
    hint: hintFor(code, body),
    ...(overflow && { overflow }),
  };
}

/** The message in `{ error: { message } }`, the form of the API's error bodies; empty if there is none. */
export function apiErrorMessage(body: unknown): string {
  return text(member(member(body, 'error'), 'message'));
}

/** The hint for a code. An error without an error object came from the network or a web server, not from the API. */
function hintFor(code: string, body: unknown): string {
  const { hints } = messages.value.failure;
  return new Map(Object.entries(hints)).get(body === undefined ? 'connection' : code) ?? '';
}

function overflowOf(body: unknown): Failure['overflow'] {
  const prompt = member(body, 'n_prompt_tokens');
  const context = member(body, 'n_ctx');
  if (typeof prompt !== 'number' || typeof context !== 'number') return undefined;
  return { prompt, context };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function statusOf(thrown: unknown): string {
  const status = member(thrown, 'status');
  return typeof status === 'number' ? String(status) : '';
}
