import type { Task } from '../core/stores/catalog-entry.ts';
import type { Obstacle } from '../core/stores/device-fit.ts';
import type { Progress } from '../core/protocol/engine.ts';
import type { SpeechDevice } from '../core/protocol/messages.ts';
import type { Speech } from '../core/stores/speech.ts';
import type { Variant } from '../core/stores/variant.ts';

export interface StartOptions {
  /**
   * Folder that holds `sw.js`, `engine.js`, `packs/` and, for speech, all of `speech*`,
   * relative to the page; default: the page's own folder. Its path is the service worker's scope, and the API is at `v1` below it.
   */
  base?: string | URL;
  /** Install (from the hub, if it is no embedded model) and load this model before `start` resolves. */
  model?: string;
  /** A key to accept, `sk-slashv1-…`; default: a new one. Either is valid while this page lives. */
  apiKey?: string;
  /**
   * Requests for a model that the catalog knows and that is not installed wait for its download, with
   * this page's key; default: they are 404 `model_not_found`.
   */
  autoInstall?: boolean;
  /** The model hub; default: https://huggingface.co/ */
  hub?: string | URL;
  /** Folder of the hub models' libraries; default: the one that WebLLM names. */
  libraries?: string | URL;
  /**
   * Memory that loaded models may take together, bytes, those that write and those that speak. When another
   * is needed and does not fit, those go that were not used for longest; one that is larger than all of it
   * is loaded alone. Default: half of the device's memory where the browser tells it, else what its GPU
   * allows for one buffer, from 1 to 4 GiB. Of several tabs, that of the one that hosts the engine counts:
   * the one that was there first.
   */
  memoryBudget?: number;
  /**
   * After this long without a request a model leaves memory, milliseconds; the next request loads it again.
   * `Infinity`: never. Default: 300,000, five minutes. Of several tabs, as `memoryBudget`.
   */
  unloadAfterMs?: number;
  /**
   * Whether the tab that is next to host the engine has the same models in memory, so that it takes over
   * at once rather than after it has loaded them. Takes the memory twice, `memoryBudget` is for both. To
   * be the same in all tabs. In the tab that stands by, a performance mark `slashv1 standby MODEL` is there
   * as long as the model is. Default: false.
   */
  standby?: boolean;
  /**
   * What speech is computed on. `webgpu`: models with 32-bit weights (Supertonic, Piper) on any GPU that
   * the browser has, in browsers with WebAssembly's promise integration, all else on the CPU; `wasm`:
   * everything on the CPU. Default: as `webgpu`, but not on a GPU that is the CPU itself. A model
   * that fails on the GPU goes on on the CPU. Of several tabs, as `memoryBudget`.
   */
  speechDevice?: SpeechDevice;
  /**
   * How many threads compute speech on the CPU. More than one takes a cross-origin isolated page (the
   * headers `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy: require-corp`, or
   * `credentialless`, on all of the site's files); elsewhere it is one. Default: one for two of the
   * device's cores, at most four. Of several tabs, as `memoryBudget`.
   */
  speechThreads?: number;
  /** Called with the progress of every model, as long as the page lives. */
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface InstallOptions {
  /** Leaves the download, which ends when nobody else waits for it. What has come stays. */
  signal?: AbortSignal;
  /** Where there is no space, remove the models that were not used for longest; not loaded ones. */
  makeRoom?: boolean;
}

export interface CatalogModel {
  id: string;
  /** What the model does: `chat` models write text, `speech` models speak it. */
  task: Task;
  /** The way to run the model that this device uses; all other facts are those of it. */
  variant: Pick<Variant, 'engine' | 'quantization'>;
  /**
   * `embedded`: served with this site, downloaded and loaded on first use. `available`: can be
   * installed. `downloading`: is on its way. `paused`: its download has begun and does not run; install
   * goes on with it. `installed`: in the weight store. `loaded`: in memory, too.
   */
  state: 'embedded' | 'available' | 'downloading' | 'paused' | 'installed' | 'loaded';
  /** Comes with this site: requests download it by themselves. */
  embedded: boolean;
  /** Why it cannot be used on this device; empty: as far as can be told, it can. */
  obstacles: Obstacle[];
  /** Download size, bytes, where known. */
  bytes?: number;
  /** How much of that is here, while it is downloaded or paused. */
  downloadedBytes?: number;
  /** When it was last loaded or installed, Unix milliseconds; undefined: never. */
  lastUsedAt?: number;
  /** GPU memory when loaded, bytes, where known. */
  gpuBytes?: number;
  /** Tokens, where known. */
  contextLength?: number;
  quantization: string;
  license?: string;
  /** Voices, languages and sample rate of a model whose task is `speech`. */
  speech?: Speech;
}

export interface Models {
  list(): Promise<CatalogModel[]>;
  /**
   * Add a model to the catalog, which keeps it. Returns its id.
   *
   * @param source - `owner/name` of a repository on the hub that is an MLC model of a shape for which
   *   there is a library, or the URL of a model pack: its folder, or its `manifest.json`
   * @throws Error with `data.status` 404 where there is none, 400 where it is nothing that can run
   */
  add(source: string): Promise<string>;
  /**
   * Download a model into the weight store, or go on with a download that stopped, for whatever reason.
   * All who install a model at the same time, in any tab, share one download.
   *
   * @throws Error with `data.code` `storage_full` (nothing else is lost), `download_paused`,
   *   `engine_error` (the network, or the server; what has come stays), `model_not_found`
   */
  install(id: string, options?: InstallOptions): Promise<void>;
  /** Stop a model's download for everyone who waits for it. What has come stays. */
  pause(id: string): Promise<void>;
  /**
   * Bring a model into memory, for which others may have to go. Requests do so by themselves.
   *
   * @throws Error with `data.code` `out_of_memory` when it does not fit even alone
   */
  load(id: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Take a model out of memory, as soon as it gives no answer. A request for it loads it again. */
  unload(id: string): Promise<void>;
  /** Delete a model's weights from this browser. The catalog forgets it if it was added to it. */
  remove(id: string): Promise<void>;
  /**
   * Ask the browser not to delete the models when it wants their space. To be called from a click:
   * Firefox asks the user. Returns whether it will.
   */
  persist(): Promise<boolean>;
}

export interface KeyInfo {
  /** Hex SHA-256 of the key: names it without revealing it. */
  id: string;
  label: string;
  /** Unix milliseconds. */
  createdAt: number;
  /** Ids of the only models it may use; undefined: all. */
  models?: string[];
  /** Its requests wait for the download of models that are not installed. */
  autoInstall?: boolean;
}

export interface Keys {
  /** A new key, shown only here: only its hash is stored. It works until it is revoked. */
  create(options?: { label?: string; models?: string[]; autoInstall?: boolean }): Promise<string>;
  /** By the key itself or by its id. */
  revoke(keyOrId: string): Promise<void>;
  list(): Promise<KeyInfo[]>;
}

/** What is to be spoken, as `POST v1/audio/speech` has it. */
export interface SpeechRequest {
  model: string;
  /** 1 to 4,096 characters. */
  input: string;
  /** Id of one of the model's voices. */
  voice: string;
  response_format?: 'wav' | 'mp3';
  /** 0.25 to 4. */
  speed?: number;
  /** BCP-47. */
  lang_code?: string;
}

export interface Slashv1 {
  /** Absolute, without a trailing slash: what clients take as `baseURL`. */
  readonly baseURL: string;
  readonly apiKey: string;
  readonly models: Models;
  readonly keys: Keys;
  /**
   * A URL for `<audio src>`, which can send no key: it plays this text, for half an hour, while this page
   * lives. The text is in the URL: it is as private as the page that it is in.
   */
  speechUrl(request: SpeechRequest): Promise<string>;
  /** Progress of every model from now on, and at once the present state; returns the way to stop it. */
  onProgress(listener: (progress: Progress) => void): () => void;
  /** Take this page out: it no longer hosts the engine, and its session key ends. */
  stop(): Promise<void>;
}

/** Why `start` failed. `code` is stable; `message` tells people what to do. */
export class StartError extends Error {
  readonly code:
    | 'insecure_context'
    | 'service_worker_unavailable'
    | 'service_worker_failed'
    | 'webgpu_unavailable'
    | 'model_failed'
    | 'invalid_option';

  constructor(code: StartError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
    this.code = code;
  }
}
