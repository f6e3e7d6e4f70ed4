import type { FinishReason } from '../operations/events/events.ts';
import type { FollowedRoute } from './routes.ts';

/** One answer to a request. */
export interface RecordedAnswer {
  text: string;
  /** What the model thought before it answered. */
  reasoning: string;
  /** `arguments` is JSON. */
  toolCalls: { name: string; arguments: string }[];
}

/** The current state of a request to the API. Fields that are not known yet, or do not apply, are undefined. */
export interface ApiRequest {
  /** The response's `x-request-id`. */
  id: string;
  /** When it arrived, Unix milliseconds. */
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
  /** How long it waited until its prompt was read, milliseconds. Only llama.cpp reports it. */
  queuedMs?: number;
  /** Time until the first token, or the first piece of a speech or a transcription, milliseconds. */
  firstTokenMs?: number;
  /** Time until its end, milliseconds; undefined while it runs. */
  durationMs?: number;
  /** Tokens per second from the first one on. */
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
  /** The whole body, if contents are recorded and the request has ended. */
  body?: unknown;
  /** The answers, on the same conditions. */
  answers?: RecordedAnswer[];
}

/** A message between those who answer requests and those who watch them, on the channel of a site's scope. */
export type RequestMessage =
  /** The sender answers requests from now on, and asks who watches. */
  | { type: 'who' }
  /** The sender watches while the Web Lock is held. */
  | { type: 'watch'; lock: string; contents: boolean }
  /** The sender answers requests, and now knows of this watcher. Older builds do not say so. */
  | { type: 'watched'; lock: string }
  /** The request has begun, changed or ended. The sender answers it, and holds the Web Lock `host` while it lives. */
  | { type: 'request'; host: string; request: ApiRequest };

/** @param scope - path of the service worker's scope */
export const requestChannel = (scope: string) => `slashv1:requests:${scope}`;
