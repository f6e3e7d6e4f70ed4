import type { FinishReason } from '../operations/events.ts';
import type { FollowedRoute } from './routes.ts';

/** One answer to a request. */
export interface RecordedAnswer {
  text: string;
  /** What the model thought before it answered. */
  reasoning: string;
  /** `arguments` is JSON. */
  toolCalls: { name: string; arguments: string }[];
}

/** A request to the API as far as it is now. What is not known yet, or does not apply, is undefined. */
export interface ApiRequest {
  /** The response's `x-request-id`. */
  id: string;
  /** When it came, Unix milliseconds. */
  at: number;
  method: string;
  /** Path below `v1`, such as `chat/completions`. */
  endpoint: string;
  /** Label of its key. */
  key?: string;
  model?: string;
  /** Name of the upstream that answered; undefined: this device. */
  upstream?: string;
  /** How the route that it names was followed; undefined: it names none. */
  route?: FollowedRoute;
  /** HTTP status. */
  status?: number;
  /** How long it waited until its prompt was read, milliseconds. Only llama.cpp tells it. */
  queuedMs?: number;
  /** Until the first token, or the first piece of a speech or a transcription, milliseconds. */
  firstTokenMs?: number;
  /** Until its end, milliseconds; undefined while it runs. */
  durationMs?: number;
  /** From the first token on. */
  tokensPerSecond?: number;
  /** The cached ones included. */
  promptTokens?: number;
  cachedTokens?: number;
  completionTokens?: number;
  finishReason?: FinishReason;
  /**
   * Why it failed: the code and the message of the API's error; `aborted` if the client hung up, `worker_stopped` if
   * the worker that answered it has ended.
   */
  error?: { code: string | null; message: string };
  /** The fields of its body that hold no contents, such as `temperature`. */
  parameters?: Record<string, unknown>;
  /** Its whole body, if contents are recorded and it is at its end. */
  body?: unknown;
  /** What was answered, likewise. */
  answers?: RecordedAnswer[];
}

/** Who answers requests and who watches them, in any tab or worker of a site, on the channel of its scope. */
export type RequestMessage =
  /** Someone answers from now on: who watches? */
  | { type: 'who' }
  /** Someone watches while the Web Lock is held. */
  | { type: 'watch'; lock: string; contents: boolean }
  /** The one who answers requests knows of that now. Older builds do not say so. */
  | { type: 'watched'; lock: string }
  /** The request has begun, gone on or ended. The one who answers it holds the Web Lock `host` while it lives. */
  | { type: 'request'; host: string; request: ApiRequest };

/** @param scope - path of the service worker's scope */
export const requestChannel = (scope: string) => `slashv1:requests:${scope}`;
