import type { KvCacheType } from '../core/realms/kv-cache-type.ts';
import type { ComputeDevice, TextEngineName } from '../core/realms/device-report.ts';
import type { Progress } from '../core/operations/events/events.ts';

/** What the site says of the files that requests may store. */
export interface FileOptions {
  /** Most bytes of all files together. A fifth of what the browser gives the site is the limit in any case. Default: 2 GiB. */
  maxBytes?: number;
  /** Id of the model that computes the vectors of vector stores, if a request names none. Default: any that is installed. */
  embedder?: string;
  /** Id of the model that ranks what a search finds. Default: any that is installed; without one, the search's own order. */
  reranker?: string;
}

/** What the site says of prompts that are kept on disk. */
export interface PromptCacheOptions {
  /**
   * Whether the state of prompts may be kept on disk, in this browser, for requests that ask for it (`ttl: '12h'`,
   * `cache_control` with `1h`, `prompt_cache_retention: '24h'`). Such a state can be turned back into its prompt. Default: no.
   */
  disk?: boolean;
  /** Most bytes of all kept prompts of the site together. Default: 1 GiB. */
  maxBytes?: number;
}

/** The MCP servers that requests may name. */
export interface McpOptions {
  /**
   * URLs: of an origin, `https://mcp.example`, for all servers there, or of one server, `https://mcp.example/mcp`, for it
   * and what is below its path.
   */
  servers: readonly (string | URL)[];
}

export interface StartOptions {
  /**
   * Folder of `sw.js`, `engine.js`, `packs/` and, for speech, all `speech*` files, relative to the page.
   * Default: with the Vite plugin, the folder of the site; else the scope of the service worker of slashv1 that
   * controls this page; else the nearest folder with `engine.js`, from the page's own upwards. Its path is the scope of
   * the service worker; the API is at `v1` in it.
   */
  base?: string | URL;
  /**
   * The site's own service worker, if it has one at the path of `base`. It must call `handle` of `slashv1/sw`. Give the
   * URL of a classic script, which is then registered, or the registration of any script, whose scope is then the
   * default of `base`. The site decides when a new version takes over. Default, or `true`: `sw.js` in `base`.
   *
   * `false`: the page registers no service worker and waits for none. The API then answers `v1.fetch` only; other
   * fetches, `<audio src>` and `speechUrl` need the service worker. All tabs still share one engine. This works in
   * places where service workers do not: private windows of some browsers, cross-site frames, pages of browser
   * extensions.
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
   * How long conversations with GGUF models may be, tokens. A model gets no more than it was trained for and than fits into
   * the memory budget. Default: 8,192; more if its memory is at most a quarter of the budget. Which tab decides: as for
   * `engines`.
   */
  contextLength?: number;
  /**
   * How GGUF models store their KV caches: with `q8_0`, the same memory holds almost twice the context, less exactly. A model
   * that cannot do that keeps `f16`. Default: `f16`. Which tab decides: as for `engines`.
   */
  kvCacheType?: KvCacheType;
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
   * Keep the engine, with its models in memory, when the visitor goes on to another page of the site: it runs in a
   * SharedWorker that outlives its pages, where the browser has such workers (Chromium 148 and newer), and ends half a minute
   * after the last page. It computes with one thread there. `auto`: only where that is no slower, which is everywhere but
   * on isolated pages (`isolate`) without a GPU, whose models compute with several threads. Models that transcribe do not
   * stay: they run in workers of the page. `standby` has no effect with it. `v1.device.host` says where the engine runs.
   * Use the same value in all pages of the site. Default: false.
   */
  outlive?: boolean | 'auto';
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
   * Other servers of the same API. Requests with this page's key, and with keys that this page creates, may be
   * forwarded to them. A request is forwarded if it names a model that this device does not know and the upstream has.
   * Without this option, nothing ever leaves the device. docs/upstreams.md says what is sent. Default: none.
   */
  upstreams?: readonly UpstreamOptions[];
  /**
   * Names that requests may give as their model, and where each leads: the first entry that can serve the request answers
   * it. An entry is `device:` and a model of this device, or the name of an upstream, `:` and its model there.
   * docs/upstreams.md says when an entry cannot serve a request. Default: none.
   */
  routes?: Readonly<Record<string, readonly (string | RouteEntryOptions)[]>>;
  /**
   * Id of a model that transcribes. Chats may then have recordings (`input_audio`): what is said in them is written down,
   * and the model of the chat reads that. It does not hear how it is said. Default: chats with recordings are refused.
   */
  hear?: string;
  /**
   * Whether requests may store files in this browser, with `/v1/files` and `/v1/vector_stores`. They stay until they are deleted or expire.
   * Pages of the site share their files; each key that `keys.create` makes has its own, unless it was made with
   * `files: 'site'`. Default: no.
   */
  files?: boolean | FileOptions;
  /**
   * Whether requests may keep prompts on disk, so that they need not be computed again after a reload. Pages of the site
   * share theirs; a key that `keys.create` makes with `promptCache: true` has its own. They are deleted when they expire,
   * with their model and their key, and by `v1.promptCache.clear()`. Default: prompts are only in memory.
   */
  promptCache?: PromptCacheOptions;
  /**
   * Servers of the Model Context Protocol that requests may name in tools of the type `mcp`. What a model asks their tools
   * for leaves the device, and so do parts of prompts. Keys that `keys.create` makes may use them, too, unless they are
   * made with `deviceOnly`. docs/mcp.md says what a server must allow. Default: none.
   */
  mcp?: McpOptions;
  /**
   * How many threads llama.cpp computes with, at most 64. More than one needs a cross-origin isolated page: `isolate`, or
   * all files of the site have the headers `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy:
   * require-corp` or `credentialless`. Default: as many as are fastest, which is measured while it computes.
   * Which tab decides: as for `engines`.
   */
  threads?: number;
  /**
   * What computes GGUF models, which llama.cpp runs. `webgpu`: the GPU, also if the CPU only emulates it; `wasm`: the CPU.
   * Default: as `webgpu`, unless the GPU is emulated by the CPU. The GPU needs the feature `shader-f16`, and has to compute
   * some products right before its first use. Models that it cannot run use the CPU, and `models.list()` says why. A model
   * that fails on the GPU continues on the CPU, in the same answer. Which tab decides: as for `engines`.
   */
  llamacppDevice?: ComputeDevice;
  /**
   * What computes models with ONNX graphs: speech, transcription, embeddings and reranking. `webgpu`: the GPU, for models
   * with 32-bit weights (Supertonic, Piper), or with 16-bit weights where it has the feature `shader-f16`, in browsers with
   * WebAssembly's promise integration; the CPU for everything else. `wasm`: the CPU. Default: as `webgpu`, unless the GPU
   * is emulated by the CPU. A model that fails on the GPU continues on the CPU. Which tab decides: as for `engines`.
   */
  speechDevice?: ComputeDevice;
  /**
   * How many threads compute speech on the CPU, at most 64. More than one thread needs an isolated page, as for
   * `threads`. Default: half of the device's cores, at most four. Which tab decides: as for `engines`.
   */
  speechThreads?: number;
  /** Called with the progress of every model until `stop`. Its errors are reported as uncaught. */
  onProgress?: (progress: Progress) => void;
  /** Ends the start when it aborts. It has no effect once `start` has resolved. */
  signal?: AbortSignal;
}

/** An upstream: another server of the same API. */
export interface UpstreamOptions {
  /** Letters, digits, ".", "_" and "-", but not `device`: errors and responses name the upstream by it. */
  name: string;
  /** Such as `https://llm.example.org/v1`, or an address of this site, relative to `base`. */
  baseURL: string | URL;
  /** Ids of its models; "*" in one stands for any characters. `'*'`: all models that it lists. */
  models: '*' | readonly string[];
  /**
   * The headers of each request to it, such as `authorization`. A function is called for each request, which takes
   * about a millisecond; headers that never change need none. They are stored nowhere: a page of the site with this
   * upstream must be open. If `start` is called several times with the same options, the first call's headers are used.
   */
  headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>);
  /** The only endpoints whose requests it gets, such as `chat/completions`. Default: all that name a model. */
  endpoints?: readonly string[];
  /** Whether it also gets requests for models that this device knows but has not installed. Default: false. */
  fallback?: boolean;
  /** How long it may take until its answer begins, and a stream until its next event, milliseconds. Default: ten minutes. */
  timeoutMs?: number;
}

/** An entry of a route, with a condition. */
export interface RouteEntryOptions {
  /** `device:MODEL`, or `UPSTREAM:MODEL`. */
  to: string;
  /**
   * For a model of the device: the entry is used only if fewer requests than this wait for the model or are being
   * answered by it. Default: any.
   */
  maxQueue?: number;
}
