import type { FindableTask, FoundModel } from '../../../core/operations/events/found-model.ts';
import type { CatalogModel } from '../../../core/catalog/catalog-model.ts';
import type { Measurement } from '../../../core/fit/measurement.ts';
import type { KvCacheType } from '../../../core/realms/kv-cache-type.ts';
import type { GivenFile } from '../../../core/operations/jobs/managing-jobs.ts';

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
  /** Load the model even if earlier loads have ended the tab. */
  anyway?: boolean;
  /**
   * For GGUF models that write text: how long a conversation may be, tokens. The model gets no more than it was trained for
   * and than fits into the memory budget. It is loaded again if it has another length, and keeps this one in this browser,
   * whatever `contextLength` of `start` says.
   */
  contextLength?: number;
  /**
   * For GGUF models that write text: how the KV cache is stored. `q8_0` has room for almost twice the context in the same
   * memory, and is less exact than `f16`. The model is loaded again if it has another one, and keeps this one in this browser,
   * whatever `kvCacheType` of `start` says. `load` fails with `data.status` 400 if the model cannot have `q8_0` on this device.
   */
  kvCacheType?: KvCacheType;
}

export interface MeasureOptions {
  signal?: AbortSignal;
  /** How long a quick measurement may take, milliseconds. */
  withinMs?: number;
}

export interface SearchOptions {
  /** Words of the model's name; empty: the most downloaded ones. */
  query: string;
  /** What the model does; default: `chat`. */
  task?: FindableTask;
  signal?: AbortSignal;
}

export interface Models {
  list(): Promise<CatalogModel[]>;
  /**
   * Adds a model to the catalog for good. Returns its id. Of a GGUF file only the header is read. A File is
   * also copied into the weight store, as `install` does with all others: add it again to continue a copy
   * that stopped. The file of a FileSystemFileHandle is not copied: it is read where it lies.
   *
   * @param source - `owner/name` of a repository on the hub: of a GGUF repository the file that fits this
   *   device best, of an MLC repository a model whose architecture has a library;
   *   `owner/name:file.gguf` or `owner/name:Q4_K_M`; the URL of a GGUF file, or of a model pack: its folder
   *   or its `manifest.json`; a GGUF file that the user picked, or its handle, or all parts of a split one
   * @param options - `makeRoom` is for a File
   * @throws ApiError with `data.status` 404 if there is no such model, 400 if it cannot run, 500 if it
   *   cannot be read; for a File also with `data.code` `storage_full` and `download_paused`
   */
  add(source: string | GivenFile | readonly GivenFile[], options?: InstallOptions): Promise<string>;
  /**
   * Downloads a model into the weight store, or continues a download that stopped. Calls for the same
   * model at the same time, in any tab, share one download.
   *
   * @throws ApiError with `data.code` `storage_full`, `download_paused`, `model_not_found`, or
   *   `engine_error` if the network or the server failed. The bytes received so far are kept.
   */
  install(id: string, options?: InstallOptions): Promise<void>;
  /**
   * Asks the hub for the download size and the licence of a model that is not installed, if the list does not have
   * them. Returns the model as it is in the list afterwards.
   *
   * @throws ApiError with `data.status` 404 if there is no such model, 500 if the hub cannot be reached
   */
  inspect(id: string, options?: Pick<InstallOptions, 'signal'>): Promise<CatalogModel>;
  /**
   * Searches the hub for models that can be added, the most downloaded first. Whether this device can run a model is
   * known only after it has been added.
   *
   * @throws ApiError with `data.status` 500 if the hub cannot be reached, or has no search
   */
  search(options: SearchOptions): Promise<FoundModel[]>;
  /**
   * Measures how fast an installed model is on this device, and keeps the result as `measured` in the list. This loads
   * the model, and takes from one second to half a minute. With `withinMs`, a model that writes is measured for that
   * long at most once it is loaded, less exactly, and the result is not kept.
   *
   * @throws ApiError with `data.status` 400 for a model that cannot be measured: one that transcribes
   */
  measure(id: string, options?: MeasureOptions): Promise<Measurement>;
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
  /**
   * Deletes a model's weights from this browser. If `add` put the model into the catalog, it is removed from there,
   * too.
   */
  remove(id: string): Promise<void>;
  /**
   * Asks the visitor whether the site may read the files of a model that lie outside of this browser. Browsers forget it
   * when all pages of the site are closed; `permission` in the list says so. Call it from a click handler. Returns
   * whether all of them may be read.
   */
  allow(id: string): Promise<boolean>;
  /**
   * Asks the browser not to evict the models when storage is short. Call it from a click handler, because
   * Firefox asks the user. Returns whether the browser agreed.
   */
  persist(): Promise<boolean>;
}
