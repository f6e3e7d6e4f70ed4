import type { CatalogEntry } from '../../core/stores/catalog-entry.ts';
import type {
  HubSource,
  Installation,
  MlcSource,
  OnnxSource,
  Variant,
} from '../../core/stores/variant.ts';
import type { ReadFile } from './read-file.ts';

/** What the installer asks of an engine: which files its models on the hub consist of. */
export interface EngineInstaller<S extends HubSource = HubSource> {
  /**
   * All files of a model, at the latest commit of its repositories.
   *
   * @throws ApiError 404 for an unknown repository, 500 if the hub cannot be reached or lacks a file
   */
  plan(source: S, signal: AbortSignal): Promise<Installation>;
  /** Makes catalog entries for repositories that no list names; undefined: the engine cannot. */
  finder?: HubFinder;
  /** What the installed files tell of the model, as in the catalog entry; undefined: nothing. */
  featuresOf?(read: ReadFile): Promise<string[]>;
}

export interface HubFinder {
  /** A file that every repository for this engine has. */
  marker: string;
  /**
   * @param known - the catalog
   * @returns undefined if the repository has no `marker`
   * @throws ApiError 404 for an unknown repository, 400 if it is for this engine but cannot run
   */
  find(
    repository: string,
    known: CatalogEntry[],
    signal: AbortSignal,
  ): Promise<CatalogEntry | undefined>;
}

/** One for each engine, so that `weights` imports none of them. */
export interface EngineInstallers extends Record<Variant['engine'], EngineInstaller<never>> {
  webllm: EngineInstaller<MlcSource>;
  onnx: EngineInstaller<OnnxSource>;
}
