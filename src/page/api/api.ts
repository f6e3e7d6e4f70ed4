import type { ApiRequest } from '../../core/realms/api-request.ts';
import type { DeviceReport } from '../../core/realms/device-report.ts';
import type { Progress } from '../../core/operations/events/events.ts';
import type { StoredFiles } from './stored/files-api.ts';
import type { PromptCache } from './stored/kept-prompts-api.ts';
import type { Keys } from './keys/keys-api.ts';
import type { Models } from './models/models-api.ts';
import type { PageTools } from './page-tools-api.ts';

/** The fields of a `POST v1/audio/speech` request. */
export interface SpeechRequest {
  model: string;
  /** 1 to 4,096 characters. */
  input: string;
  /** The id of one of the model's voices. */
  voice: string;
  response_format?: 'wav' | 'mp3' | 'pcm' | 'opus' | 'aac' | 'flac';
  /** 0.25 to 4. */
  speed?: number;
  /** BCP-47. */
  lang_code?: string;
}

/** What a frame may do with the API that a page lends to it. */
export interface ShareOptions {
  /** Ids of the only models that it may use. Default: all. */
  models?: readonly string[];
  /** Label of the frame's key in `keys.list()`. Default: `frame`. */
  label?: string;
}

/** The API, lent to a frame. */
export interface Share {
  /** Stops lending: responses under way break, and the frame's key is revoked. */
  revoke(): Promise<void>;
}

export interface WatchOptions {
  /**
   * Whether to record the bodies and answers of requests from now on, as `body` and `answers`. Only listeners with this
   * option get them, and they are stored nowhere. Default: false.
   */
  contents?: boolean;
}

export interface Requests {
  /**
   * Reports every request to this site's API from now on, from every tab, frame and worker. A request is reported when
   * it begins, while it runs, and when it ends. Every report is complete and has the request's `id`. Errors of the
   * listener are reported as uncaught. Requests are only followed while someone watches.
   *
   * @returns unsubscribes; `stop` does so, too
   */
  watch(listener: (request: ApiRequest) => void, options?: WatchOptions): Promise<() => void>;
}

export interface Slashv1 {
  /** Absolute, without a trailing slash: the `baseURL` option of API clients. */
  readonly baseURL: string;
  readonly apiKey: string;
  /** The device, and which engine it uses and why, as the engine said when `start` or `models.list()` resolved last. */
  readonly device: DeviceReport;
  readonly models: Models;
  readonly keys: Keys;
  readonly files: StoredFiles;
  /** What `start({ promptCache: { disk: true } })` lets requests keep of their prompts on disk. */
  readonly promptCache: PromptCache;
  readonly requests: Requests;
  /**
   * `fetch`, except that requests below `baseURL` are answered in this page, without the service worker: for
   * clients with an option `fetch`. All other requests are passed to the page's own `fetch`.
   */
  readonly fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
  /**
   * A signed URL that plays this text, for `<audio src>`, which cannot send a key. It is valid for half an
   * hour, while this page lives. The URL contains the text.
   *
   * @throws Error with `serviceWorker: false`, because no service worker answers the URL
   */
  speechUrl(request: SpeechRequest): Promise<string>;
  /**
   * The tools that this page and its frames of the same origin have registered with WebMCP (`document.modelContext`), as
   * tools of a chat, and what runs them. Experimental: without that API, there are no tools.
   */
  pageTools(): Promise<PageTools>;
  /**
   * Lends the API to a frame that has no API of its own, because it is sandboxed or of another site. The frame calls
   * `connect` of `slashv1/connect` and gets its own key. With this key it may use models, but not manage them, until
   * `revoke`, `stop`, or the end of the frame's document.
   *
   * @param frame - `contentWindow` of the frame
   * @param origin - origin of the frame's document; no other origin is answered. `'null'` for a frame whose sandbox
   *   lacks `allow-same-origin`
   */
  share(frame: Window, origin: string, options?: ShareOptions): Promise<Share>;
  /**
   * Reports the state of every model now, and all progress from now on until `stop`. Errors of the listener are
   * reported as uncaught.
   *
   * @returns unsubscribes
   */
  onProgress(listener: (progress: Progress) => void): () => void;
  /**
   * Ends what this `start` began. When no other `start` of the page shares it, the page stops hosting the
   * engine, and its session key ends. Repeated calls change nothing.
   */
  stop(): Promise<void>;
}

/** Why `start` failed. `code` is stable; `message` tells the user what to do. */
export class StartError extends Error {
  readonly code:
    | 'no_page'
    | 'insecure_context'
    | 'storage_unavailable'
    | 'storage_blocked'
    | 'api_failed'
    | 'engine_failed'
    | 'blocked_by_policy'
    | 'service_worker_unavailable'
    | 'service_worker_failed'
    | 'foreign_service_worker'
    | 'page_not_controlled'
    | 'simd_unavailable'
    | 'webgpu_unavailable'
    | 'model_failed'
    | 'invalid_option';

  constructor(code: StartError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
    this.code = code;
  }
}
