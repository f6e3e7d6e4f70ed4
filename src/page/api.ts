import type { DeviceReport, TextEngineName } from '../core/protocol/device-report.ts';
import type { Progress } from '../core/protocol/events.ts';
import type { OnnxDevice } from '../core/protocol/onnx-files.ts';
import type { CatalogModel } from '../core/stores/catalog-model.ts';

export interface StartOptions {
  /**
   * Folder of `sw.js`, `engine.js`, `packs/` and, for speech, all `speech*` files, relative to the page.
   * Default: with the Vite plugin, the folder of the site; else the scope of the service worker of slashv1 that
   * controls this page; else the page's own folder. Its path is the scope of the service worker; the API is at `v1` in it.
   */
  base?: string | URL;
  /**
   * The site's own service worker, if it has one at the path of `base`: it calls `handle` of `slashv1/sw`. The URL of
   * a classic script, which is registered, or the registration of any; `base` is then its scope by default. A new
   * version of it takes over when the site says so. Default, or `true`: `sw.js` in `base`.
   *
   * `false`: the page registers no service worker and waits for none. The API then answers `v1.fetch` only;
   * other fetches, `<audio src>` and `speechUrl` need the service worker. All tabs still share one engine.
   * This works in places where service workers do not: private windows of some browsers, cross-site frames,
   * pages of browser extensions.
   */
  serviceWorker?: boolean | string | URL | ServiceWorkerRegistration;
  /**
   * Install this model and load it before `start` resolves: the id of one that the catalog knows, or
   * anything that `models.add` takes as text.
   */
  model?: string;
  /**
   * An API key that is valid while this page lives, `sk-slashv1-` and 43 base64url characters. Default: a
   * new one. Tabs may share a key: it ends with the last of them. A key that `keys.create()` made keeps
   * its rights, and outlives the page.
   */
  apiKey?: string;
  /**
   * If a request with this page's key names a model of the catalog that is not installed, download the
   * model and then answer. Default: such a request fails with 404 `model_not_found`.
   */
  autoInstall?: boolean;
  /** The model hub; default: https://huggingface.co/ */
  hub?: string | URL;
  /** Folder of the WebAssembly libraries that hub models run on; default: WebLLM's own. */
  libraries?: string | URL;
  /**
   * The engines that may write text: `webllm` needs WebGPU, `llamacpp` runs on every CPU. Default: both. A
   * device uses WebLLM if it has a real GPU and the model has a variant for it, and llama.cpp otherwise.
   * With `['webllm']`, `start` fails on devices without WebGPU. The tab that hosts the engine decides: the
   * first one that called `start`.
   */
  engines?: TextEngineName[];
  /**
   * Memory for all loaded models together, text and speech, bytes. If the next model does not fit, the
   * least recently used ones are unloaded; a model larger than the budget is loaded alone. On the CPU a
   * model's context is cut to what fits, down to 512 tokens. Default: 1 GiB on phones and tablets; else half
   * of the device's memory if the browser reports it; else the GPU's largest buffer, from 2 to 4 GiB. Which
   * tab decides: as for `engines`.
   */
  memoryBudget?: number;
  /**
   * A model is unloaded after this long without a request, milliseconds; the next request loads it again.
   * `Infinity`: never. Default: 300,000, five minutes. Which tab decides: as for `engines`.
   */
  unloadAfterMs?: number;
  /**
   * Instant failover: the tab that is next to host the engine loads the same models, so that it takes over
   * without a pause. This takes the memory twice, and `memoryBudget` is for both. Use the same value in all
   * tabs. While the standby tab has a model in memory, it has a performance mark `slashv1 standby MODEL`.
   * Default: false.
   */
  standby?: boolean;
  /**
   * If the server sends no headers for it, let `sw.js` make the pages of the site cross-origin isolated, so that text and
   * speech on the CPU use several threads. A page that is not isolated yet is reloaded, once, before `start` resolves.
   * Use the same value in all pages of the site. docs/embed.md says what isolated pages cannot do. Default: false.
   */
  isolate?: boolean;
  /**
   * Other services whose requests are answered on this device: their base URLs, such as `https://api.openai.com/v1`.
   * It is for code that cannot be changed. The service worker answers all requests of the site's pages and workers to
   * them, with any key or none; what it cannot answer fails, and nothing is sent. All other addresses of these hosts
   * fail, too. Without the option, the services that were intercepted before stay so; `[]` ends it. docs/embed.md says
   * what it does not cover. Not with `serviceWorker`. Default: none.
   */
  intercept?: readonly string[];
  /**
   * For `intercept`: a model's name at the service → id of the model that answers. Ids of this site's models are
   * always understood. All other names are answered by `model`, which must be an id then, or without `model` by the
   * first text model of the site.
   */
  modelMap?: Record<string, string>;
  /**
   * How many threads llama.cpp computes with. More than one needs a cross-origin isolated page: `isolate`, or
   * all files of the site have the headers `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy:
   * require-corp` or `credentialless`. Default: as many as are fastest, which is measured while it computes.
   * Which tab decides: as for `engines`.
   */
  threads?: number;
  /**
   * What computes speech. `webgpu`: the GPU, for models with 32-bit weights (Supertonic, Piper) in browsers
   * with WebAssembly's promise integration; the CPU for everything else. `wasm`: the CPU. Default: as
   * `webgpu`, unless the GPU is emulated by the CPU. A model that fails on the GPU continues on the CPU.
   * Which tab decides: as for `engines`.
   */
  speechDevice?: OnnxDevice;
  /**
   * How many threads compute speech on the CPU. More than one thread needs an isolated page, as for
   * `threads`. Default: half of the device's cores, at most four. Which tab decides: as for `engines`.
   */
  speechThreads?: number;
  /** Called with the progress of every model until `stop`. What it throws is reported as uncaught. */
  onProgress?: (progress: Progress) => void;
  /** Its abort ends the start. It has no effect once `start` has resolved. */
  signal?: AbortSignal;
}

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

export interface KeyInfo {
  /** Hex SHA-256 of the key: identifies it without revealing it. */
  id: string;
  label: string;
  /** Unix milliseconds. */
  createdAt: number;
  /** Ids of the models that it may use; undefined: all. */
  models?: string[];
  /** As in StartOptions, for requests with this key. */
  autoInstall?: boolean;
  /** It may load, unload, install and remove models over HTTP. The key of start() always may. */
  manageModels?: boolean;
}

export interface Keys {
  /** Creates a key that is valid until it is revoked. Only its hash is stored: keep what this returns. */
  create(options?: Omit<Partial<KeyInfo>, 'id' | 'createdAt'>): Promise<string>;
  /** Takes the key or its id. */
  revoke(keyOrId: string): Promise<void>;
  list(): Promise<KeyInfo[]>;
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
