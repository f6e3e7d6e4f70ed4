import type { CatalogEntry } from '../../catalog/catalog-entry.ts';
import type { Installation, Variant } from '../../catalog/variant.ts';
import type { Repeatable } from './job-parts.ts';
import type { FindableTask } from '../events/found-model.ts';

/** An answer in memory. It is found by its id, its parts by theirs. */
export interface KeptAnswer {
  id: string;
  /** The answer and its parts, by id. */
  values: Map<string, unknown>;
  /** Approximate size of the values. */
  bytes: number;
}

/** Clients cannot recall each other's answers. The fields are processed in their order. */
export interface MemoryRequest {
  client: string;
  /** Ids of answers. */
  forget?: string[];
  remember?: KeptAnswer;
  /** Ids of answers and of their parts. */
  recall?: string[];
}

export interface DeviceRequest {
  /** Answers when the engine has read the site's lists of models, or cannot read them. */
  settled?: boolean;
}

export interface ModelRequest {
  model: string;
}

export interface SearchRequest {
  query: string;
  task: FindableTask;
}

export interface MetricsRequest {
  /** Report on these models only; undefined: on all. */
  models?: string[];
}

export interface LoadRequest extends ModelRequest, Repeatable {
  /** Context length to load it with from now on, tokens; undefined: that of the last load that named one. */
  contextLength?: number | undefined;
  /** Type of the KV cache to load it with from now on, which the engine checks; undefined: as for `contextLength`. */
  kvCacheType?: string | undefined;
  /** Load it although earlier loads have ended the tab. */
  anyway?: boolean;
  /** A page asks because it starts. After a load that ended its tab, it would ask for the same load again. */
  starting?: boolean;
  /** Download it first if it is not installed. */
  autoInstall?: boolean;
}

export interface InstallRequest extends ModelRequest, Repeatable {
  /** If there is too little space, remove the models that were not used for longest. */
  makeRoom?: boolean;
  /** Load it as well, beginning during the download. Some engines only install it. */
  load?: boolean;
}

export type AddRequest = Omit<InstallRequest, 'model'> & (AddedSource | AddedFiles);

interface AddedSource {
  /** A repository on the hub, or a URL. */
  source: string;
  files?: never;
}

interface AddedFiles {
  source?: never;
  /** All parts of a model that the visitor picked. */
  files: readonly GivenFile[];
}

declare global {
  // The types of Node lack it.
  interface FileSystemFileHandle {
    getFile(): Promise<File>;
  }
}

/** A file that is copied into the weight store, or one that is read where it lies. */
export type GivenFile = File | FileSystemFileHandle;

export interface OpenRequest {
  entry: CatalogEntry;
  variant: Variant;
  installation: Installation;
  /** Tokens. */
  contextLength: number;
}

export interface MeasureRequest extends ModelRequest {
  /** How long it may take once the model is loaded, milliseconds; undefined: thoroughly, and the result is stored. */
  withinMs?: number;
}
