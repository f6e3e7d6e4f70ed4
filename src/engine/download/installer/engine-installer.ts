import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type {
  EngineName,
  GgufSource,
  Installation,
  LocalSource,
  MlcSource,
  OnnxSource,
  PackSource,
  Source,
  UrlSource,
  Variant,
} from '../../../core/catalog/variant.ts';
import type { ReadFile } from '../transfer/read-file.ts';

/** A source whose files only the engine knows. */
type EngineSource = Exclude<Source, PackSource>;

/** The part of an engine that the installer needs: the lists of its models' files. */
export interface EngineInstaller<S extends EngineSource = EngineSource> {
  /**
   * All files of a model, at the latest commit of its repositories.
   *
   * @throws ApiError 404 for an unknown repository, 500 if the hub cannot be reached or lacks a file
   */
  plan(source: S, signal: AbortSignal): Promise<Installation>;
  /** Makes catalog entries for repositories on the hub; undefined: the engine cannot. */
  finder?: HubFinder;
  /** Makes catalog entries for single files; undefined: the engine cannot. */
  fileFinder?: FileFinder;
  /** Reads the features for the catalog entry from the installed files; undefined: the engine cannot. */
  featuresOf?(read: ReadFile, variant: Variant): Promise<string[]>;
}

/** A model that someone wants to add. */
export interface Found {
  /** The entry, with the preferred id. */
  entry: CatalogEntry;
  /** The id to use if another model has the preferred one. */
  otherId?: string;
}

/** A repository on the hub, or one of the models in it. */
export interface WantedRepository {
  /** `owner/name`. */
  repository: string;
  /** A file, or a text that the names of one model's files share; undefined: the model that fits best. */
  file?: string;
}

export interface HubFinder {
  /** The files that every repository for this engine has, for error messages. */
  marker: string;
  /**
   * @param known - the catalog
   * @returns undefined if the repository has no `marker`
   * @throws ApiError 404 for an unknown repository, 400 if it is for this engine but cannot run
   */
  find(
    wanted: WantedRepository,
    known: CatalogEntry[],
    signal: AbortSignal,
  ): Promise<Found | undefined>;
}

/** Finds models that are one file, or the parts of one. */
export interface FileFinder {
  /** The end of the files' names, e.g. `.gguf`. */
  extension: string;
  /** @throws ApiError 400 if it cannot run, 404 if there is no file, 500 if it cannot be read */
  atUrl(url: URL, signal: AbortSignal): Promise<Found>;
  /** @param files - all parts, in any order. @throws ApiError 400 if the model cannot run */
  given(files: readonly File[]): Promise<Found>;
}

/** The engines whose models have files. */
type FileEngine = Exclude<EngineName, 'builtin'>;

/** One for each engine, so that `download` imports none of them. */
export interface EngineInstallers extends Record<FileEngine, EngineInstaller<never>> {
  webllm: EngineInstaller<MlcSource>;
  llamacpp: EngineInstaller<GgufSource | UrlSource | LocalSource>;
  onnx: EngineInstaller<OnnxSource>;
}
