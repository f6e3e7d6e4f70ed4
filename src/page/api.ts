import type { Progress } from '../core/engine.ts';

export interface StartOptions {
  /**
   * Folder that holds `sw.js`, `engine.js` and `packs/`, relative to the page; default: the page's own
   * folder. Its path is the service worker's scope, and the API is at `v1` below it.
   */
  base?: string | URL;
  /** Install (from the hub, if it is no embedded model) and load this model before `start` resolves. */
  model?: string;
  /** A key to accept, `sk-slashv1-…`; default: a new one. Either is valid while this page lives. */
  apiKey?: string;
  /** The model hub; default: https://huggingface.co/ */
  hub?: string | URL;
  /** Folder of the hub models' libraries; default: the one that WebLLM names. */
  libraries?: string | URL;
  /** Called with the progress of every model, as long as the page lives. */
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface CatalogModel {
  id: string;
  /**
   * `embedded`: served with this site, loaded on first use. `installed`: in the weight store.
   * `available`: can be installed from the hub.
   */
  state: 'embedded' | 'installed' | 'available';
  /** Download size, bytes, where known. */
  bytes?: number;
  /** GPU memory when loaded, bytes, where known. */
  gpuBytes?: number;
  /** Tokens, where known. */
  contextLength?: number;
  quantization: string;
  license?: string;
}

export interface Models {
  list(): Promise<CatalogModel[]>;
  /** Download a model from the hub into the weight store. */
  install(id: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Bring a model into GPU memory. Requests do so by themselves. */
  load(id: string, options?: { signal?: AbortSignal }): Promise<void>;
  unload(id: string): Promise<void>;
  /** Delete a model's weights from this browser. */
  remove(id: string): Promise<void>;
}

export interface KeyInfo {
  /** Hex SHA-256 of the key: names it without revealing it. */
  id: string;
  label: string;
  /** Unix milliseconds. */
  createdAt: number;
  /** Ids of the only models it may use; undefined: all. */
  models?: string[];
}

export interface Keys {
  /** A new key, shown only here: only its hash is stored. It works until it is revoked. */
  create(options?: { label?: string; models?: string[] }): Promise<string>;
  /** By the key itself or by its id. */
  revoke(keyOrId: string): Promise<void>;
  list(): Promise<KeyInfo[]>;
}

export interface Slashv1 {
  /** Absolute, without a trailing slash: what clients take as `baseURL`. */
  readonly baseURL: string;
  readonly apiKey: string;
  readonly models: Models;
  readonly keys: Keys;
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
