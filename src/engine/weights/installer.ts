import * as v from 'valibot';
import { modelNotFound, notInstalled, serverError } from '../../core/protocol/errors.ts';
import {
  isServable,
  type CatalogEntry,
  type Installation,
} from '../../core/stores/catalog-entry.ts';
import type { CatalogStore } from '../../core/stores/catalog-store.ts';
import { missingFiles, totalBytes } from '../../core/stores/installation-progress.ts';
import { blobSha256, type WeightStore } from '../../core/stores/weight-store.ts';
import { templateFeatures } from '../../core/stores/template-features.ts';
import type { ReadFile } from './read-file.ts';
import { readTokenizerFacts } from '../text/tokenizer-files.ts';
import { download } from './download.ts';
import { DownloadReport } from './download-report.ts';
import { packInstallation } from './embedded-packs.ts';
import { FileGone } from './file-transfer.ts';
import { findModel } from './find-model.ts';
import { hubInstallation, type Hub } from './hub.ts';
import { gpuRecipeSchema, type GpuRecipe } from '../webllm/gpu-kernels.ts';
import { onnxInstallation } from '../onnx/installation.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import type { Retry } from './retried.ts';
import type { InstalledModel } from './installed-model.ts';
import { SharedWork } from './shared-work.ts';
import { StorageRoom } from './storage-room.ts';
import { verifiedFiles } from './verified-files.ts';

/** Beside a model's own files, in the weight store. */
const GPU_RECIPE = '.slashv1/gpu.json';

/** How a model may be brought here. */
export interface InstallOptions {
  /** Models that may not be removed to make room; undefined: no model may. */
  makeRoomBut?: ReadonlySet<string>;
  /** Called as bytes come, where nobody else has begun the download. */
  onBytes?: () => void;
}

interface Stores {
  catalog: CatalogStore;
  weights: WeightStore;
  progress: ProgressBoard;
  hub: Hub;
  /** Names this deployment among those of its origin. */
  base: string;
  /** Another patience with the network than usual, for tests. */
  retry?: Retry;
}

/** Finds, installs and removes models. */
export class ModelLibrary {
  readonly #stores: Stores;
  readonly #room: StorageRoom;
  readonly #downloads = new SharedWork<InstalledModel>();

  constructor(stores: Stores) {
    this.#stores = stores;
    const { catalog, weights } = stores;
    this.#room = new StorageRoom({ catalog, weights, remove: (id) => this.remove(id) });
  }

  /**
   * The model, ready to be loaded. A pack of this site is downloaded when it has to be; any other must
   * have been installed, for it takes gigabytes that somebody should have asked for.
   *
   * @param autoInstall - somebody has: download it
   */
  async require(id: string, signal: AbortSignal, autoInstall = false): Promise<InstalledModel> {
    const entry = await this.#entry(id);
    if (!isServable(entry) && !autoInstall) throw notInstalled(id);
    return this.#bring(entry, signal, {});
  }

  /** Downloads a model, whatever its source. Does nothing for one that is there. */
  async install(
    id: string,
    signal: AbortSignal,
    options: InstallOptions = {},
  ): Promise<InstalledModel> {
    return this.#bring(await this.#entry(id), signal, options);
  }

  /** Ends a running download for all who wait for it; what has come stays. */
  pause(id: string): void {
    const message = `The download of '${id}' was paused. Installing it again goes on with it.`;
    this.#downloads.stop(id, serverError('download_paused', message));
  }

  /** Adds a model to the catalog. @param source - a repository on the hub, or the URL of a pack */
  async add(source: string, signal: AbortSignal): Promise<CatalogEntry> {
    const { catalog, hub } = this.#stores;
    const known = await catalog.get(source);
    if (known) return known;
    const found = await findModel(source, hub, await catalog.list(), signal);
    // What is there already may be installed.
    const old = await catalog.get(found.id);
    if (old) return old;
    await catalog.put(found);
    return found;
  }

  /** Deletes the model's files. The catalog still knows it, unless somebody had added it. */
  async remove(id: string): Promise<void> {
    const { catalog } = this.#stores;
    const { installed: _, ...rest } = await this.#entry(id);
    const reason = serverError('download_paused', `The model '${id}' was removed.`);
    this.#downloads.stop(id, reason);
    await this.#alone(id, new AbortController().signal, async () => {
      await (rest.added ? catalog.delete(id) : catalog.put(rest));
      await this.#deleteFiles(id);
    });
  }

  /** The model is used now. That this could not be noted is no reason for anything to fail. */
  async touch(id: string): Promise<void> {
    await this.#stores.catalog.touch(id).catch(() => undefined);
  }

  /**
   * Loads a model from its files: verified, and fetched again where they changed. Weights are verified
   * while they are being loaded; where that finds damage, the model is loaded once more.
   *
   * @param onBytes - called as bytes come of a file that is fetched again
   */
  async loadVerified<T>(
    model: InstalledModel,
    load: (read: ReadFile) => Promise<T>,
    signal: AbortSignal,
    onBytes: () => void,
  ): Promise<T> {
    const repair = async () => {
      await this.#bring(model.entry, signal, { onBytes });
    };
    const early = verifiedFiles(model, this.#stores.weights, repair, isWeights);
    try {
      const loaded = await load(early.read);
      if (await early.wereIntact()) return loaded;
    } catch (error) {
      if (await early.wereIntact()) throw error;
    }
    return load(verifiedFiles(model, this.#stores.weights, repair).read);
  }

  /** What the model's last loading asked the GPU for; undefined before there was one. */
  async gpuRecipe({ entry, installation }: InstalledModel): Promise<GpuRecipe | undefined> {
    try {
      const blob = await this.#stores.weights.get(entry.id, installation.revision, GPU_RECIPE);
      return blob && v.parse(gpuRecipeSchema, JSON.parse(await blob.text()));
    } catch {
      // It can be made again.
      return undefined;
    }
  }

  /** Kept beside the model's files: it goes with them. A full disk is no reason to fail. */
  async keepGpuRecipe({ entry, installation }: InstalledModel, recipe: GpuRecipe): Promise<void> {
    const { weights } = this.#stores;
    const blob = new Blob([JSON.stringify(recipe)]);
    const file = { blob, sha256: await blobSha256(blob) };
    await weights.put(entry.id, installation.revision, GPU_RECIPE, file).catch(() => undefined);
  }

  async #entry(id: string): Promise<CatalogEntry> {
    const entry = await this.#stores.catalog.get(id);
    if (!entry) throw modelNotFound(id, 'The catalog does not know it; models.add() adds it.');
    return entry;
  }

  async #bring(
    entry: CatalogEntry,
    signal: AbortSignal,
    options: InstallOptions,
  ): Promise<InstalledModel> {
    const { installed, source, id } = entry;
    const installation = source.kind === 'pack' ? packInstallation(source) : installed;
    if (installation && installed?.revision === installation.revision) {
      const missing = await missingFiles(id, installation, this.#stores.weights);
      if (missing.length === 0) return { entry, installation };
    }
    return this.#downloads.join(id, signal, (shared) =>
      this.#alone(id, shared, () => this.#download(entry, installation, shared, options)),
    );
  }

  async #download(
    entry: CatalogEntry,
    known: Installation | undefined,
    signal: AbortSignal,
    options: InstallOptions,
  ): Promise<InstalledModel> {
    const { catalog, weights, progress, retry } = this.#stores;
    const { id } = entry;
    const report = new DownloadReport(id, (event) => progress.report(event));
    try {
      const installation = known ?? (await this.#plan(entry, signal));
      await catalog.begin(id, installation);
      await this.#room.check(id, installation, options.makeRoomBut);
      const onBytes = (loaded: number, total: number) => {
        report.bytes(loaded, total);
        options.onBytes?.();
      };
      await this.#room.make(id, installation, options.makeRoomBut, () =>
        download(id, installation, weights, onBytes, signal, retry),
      );
      const finished = await this.#finish(entry, installation);
      report.done();
      return { entry: finished, installation };
    } catch (error) {
      if (signal.aborted) report.paused();
      else report.failed(error);
      // What was planned is not to be had any more: the next attempt asks anew.
      if (error instanceof FileGone) await catalog.endPlan(id);
      throw error;
    }
  }

  /** The files of a hub model: those whose download has begun, or the repository's present ones. */
  async #plan(entry: CatalogEntry, signal: AbortSignal): Promise<Installation> {
    const { catalog, hub } = this.#stores;
    const { source } = entry;
    if (source.kind === 'pack') return packInstallation(source);
    const begun = await catalog.plan(entry.id);
    if (begun) return begun;
    return source.kind === 'onnx'
      ? onnxInstallation(hub, source, signal)
      : hubInstallation(hub, source, signal);
  }

  async #finish(entry: CatalogEntry, installed: Installation): Promise<CatalogEntry> {
    const { catalog, weights } = this.#stores;
    const { id, source } = entry;
    const read = (path: string) => weights.get(id, installed.revision, path);
    const features = await featuresOf(source, read);
    const bytes = totalBytes(installed.files);
    const finished = { ...entry, installed, bytes, features };
    await catalog.finish(finished);
    await catalog.touch(id);
    await weights.remove(id, installed.revision);
    return finished;
  }

  async #deleteFiles(id: string): Promise<void> {
    await this.#stores.weights.remove(id);
    await this.#stores.catalog.endPlan(id);
  }

  /** One at a time among all tabs and workers: a worker that is being replaced may not be gone yet. */
  #alone<T>(id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const lock = `slashv1:weights:${this.#stores.base}:${id}`;
    return navigator.locks.request(lock, { signal }, work);
  }
}

/** Nothing is run or parsed of them: damage shows in nothing but the answers. */
function isWeights(path: string): boolean {
  return path.endsWith('.bin');
}

/** A pack's manifest says it; a hub model's files have to be asked, unless it has no template. */
async function featuresOf(source: CatalogEntry['source'], read: ReadFile): Promise<string[]> {
  switch (source.kind) {
    case 'pack':
      return source.manifest.features;
    case 'onnx':
      return [];
    case 'hub':
      return templateFeatures((await readTokenizerFacts(read)).chatTemplate);
  }
}
