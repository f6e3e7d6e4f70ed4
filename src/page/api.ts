import type { DeviceReport } from '../core/protocol/device-report.ts';
import type { Progress } from '../core/protocol/events.ts';
import type { CatalogModel } from '../core/stores/catalog-model.ts';
import type { Keys } from './keys-api.ts';
import type { Requests } from './requests-api.ts';

export interface InstallOptions {
  /**
   * Stops waiting for the download, which continues if others wait for it. The bytes received so far are
   * kept.
   */
  signal?: AbortSignal;
  /** If there is not enough space, remove the least recently used models that are not loaded. */
  makeRoom?: boolean;
}

export interface LoadOptions {
  signal?: AbortSignal;
  /** Load it although earlier loads have ended the tab. */
  anyway?: boolean;
}

export interface Models {
  list(): Promise<CatalogModel[]>;
  /**
   * Adds a model to the catalog for good. Returns its id. Of a GGUF file only the header is read. A File is
   * also copied into the weight store, as `install` does with all others: add it again to continue a copy
   * that stopped.
   *
   * @param source - `owner/name` of a repository on the hub: of a GGUF repository the file that fits this
   *   device best, of an MLC repository a model whose architecture has a library;
   *   `owner/name:file.gguf` or `owner/name:Q4_K_M`; the URL of a GGUF file, or of a model pack: its folder
   *   or its `manifest.json`; a GGUF file that the user picked, or all parts of a split one
   * @param options - `makeRoom` is for a File
   * @throws ApiError with `data.status` 404 if there is no such model, 400 if it cannot run, 500 if it
   *   cannot be read; for a File also with `data.code` `storage_full` and `download_paused`
   */
  add(source: string | File | readonly File[], options?: InstallOptions): Promise<string>;
  /**
   * Downloads a model into the weight store, or continues a download that stopped. Calls for the same
   * model at the same time, in any tab, share one download.
   *
   * @throws ApiError with `data.code` `storage_full`, `download_paused`, `model_not_found`, or
   *   `engine_error` if the network or the server failed. The bytes received so far are kept.
   */
  install(id: string, options?: InstallOptions): Promise<void>;
  /** Stops a model's download for all callers that wait for it. The bytes received so far are kept. */
  pause(id: string): Promise<void>;
  /**
   * Loads a model into memory, and unloads others if they leave no room. A request loads its model by
   * itself.
   *
   * @throws ApiError with `data.code` `out_of_memory` if the model does not fit even alone, `load_crashed`
   *   if loading it has ended the tab twice in a row
   */
  load(id: string, options?: LoadOptions): Promise<void>;
  /** Frees a model's memory once its current answers are complete. The next request loads it again. */
  unload(id: string): Promise<void>;
  /** Deletes a model's weights from this browser, and from the catalog a model that `add` put there. */
  remove(id: string): Promise<void>;
  /**
   * Asks the browser not to evict the models when storage is short. Call it from a click handler, because
   * Firefox asks the user. Returns whether the browser agreed.
   */
  persist(): Promise<boolean>;
}

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
  /** Of its key, in `keys.list()`. Default: `frame`. */
  label?: string;
}

/** The API is lent. */
export interface Share {
  /** Ends it: responses under way break, and the frame's key is revoked. */
  revoke(): Promise<void>;
}

export interface Slashv1 {
  /** Absolute, without a trailing slash: the `baseURL` option of API clients. */
  readonly baseURL: string;
  readonly apiKey: string;
  /** The device as the engine found it when `start` resolved, and which engine it uses and why. */
  readonly device: DeviceReport;
  readonly models: Models;
  readonly keys: Keys;
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
   * Lends the API to a frame that has none of its own, sandboxed or of another site: the frame calls `connect` of
   * `slashv1/connect`. It gets a key of its own, with which it may use models and not manage them, until `revoke`,
   * `stop`, or the end of the frame's document.
   *
   * @param frame - `contentWindow` of the frame
   * @param origin - that of the frame's document: no other one is answered. `'null'` for a frame whose sandbox lacks
   *   `allow-same-origin`
   */
  share(frame: Window, origin: string, options?: ShareOptions): Promise<Share>;
  /**
   * Reports the state of every model now, and all progress from now on until `stop`. What the listener
   * throws is reported as uncaught.
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
    | 'api_failed'
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
