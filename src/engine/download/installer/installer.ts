import { modelNotFound, serverError } from '../../../core/errors/errors.ts';
import { isEmbedded, type CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type { CatalogStore } from '../../../core/catalog/catalog-store.ts';
import { chooseVariant } from '../../../core/fit/choose-variant.ts';
import { ggufDevice } from '../../../core/fit/gguf-device.ts';
import { contextThatFits } from '../../../core/fit/context-that-fits.ts';
import { kvCacheTypeOf } from '../../../core/fit/kv-cache.ts';
import { refusals, type Device } from '../../../core/fit/device-fit.ts';
import { missingFiles } from '../../../core/weights/installation-progress.ts';
import type { Variant } from '../../../core/catalog/variant.ts';
import { blobSha256, type WeightStore } from '../../../core/weights/weight-store.ts';
import type { ProgressBoard } from '../../scheduling/progress-board.ts';
import type { GivenFile } from '../../../core/operations/jobs/managing-jobs.ts';
import { addGiven, addModel } from './add-model.ts';
import { packInstallation } from './embedded-packs.ts';
import type { EngineInstallers } from './engine-installer.ts';
import { linkGiven, openGiven } from './given-files.ts';
import { LocalFiles } from './local-files.ts';
import { isMetered } from '../../../core/fit/connection.ts';
import type { InstalledModel } from './installed-model.ts';
import {
  ModelDownloader,
  type InstallOptions,
  type ModelOnDevice,
  type Receive,
} from './model-downloader.ts';
import { notInstalledHere, refuseImpossible } from './unavailable-model.ts';
import type { ReadFile } from '../transfer/read-file.ts';
import type { Retry } from '../transfer/retried.ts';
import { SharedWork } from './shared-work.ts';
import { StorageRoom } from './storage-room.ts';
import { verifiedFiles } from './verified-files.ts';

interface InstallerOptions {
  catalog: CatalogStore;
  weights: WeightStore;
  progress: ProgressBoard;
  engines: EngineInstallers;
  /** Decides which variant of a model is installed, and how it is loaded. */
  device: () => Promise<Device>;
  /** Names this deployment among those of its origin. */
  base: string;
  /** Told when a model was removed. */
  onRemoved?: (id: string) => Promise<void>;
  /** Replaces the usual retries, for tests. */
  retry?: Retry;
}

/** Finds, installs and removes models. */
export class Installer {
  readonly #options: InstallerOptions;
  readonly #downloader: ModelDownloader;
  readonly #downloads = new SharedWork<InstalledModel>();
  readonly #local = new LocalFiles();
  /** Ids of the models whose update this engine has begun. */
  readonly #updates = new Set<string>();

  constructor(options: InstallerOptions) {
    this.#options = options;
    const { catalog, weights } = options;
    const room = new StorageRoom({ catalog, weights, remove: (id) => this.remove(id) });
    this.#downloader = new ModelDownloader({ ...options, room, local: this.#local });
  }

  /**
   * The model, ready to be loaded. A pack of this site is downloaded if necessary. Any other model must
   * be installed already, because a download of gigabytes needs someone's consent.
   *
   * @param autoInstall - the user has consented to the download
   * @param receive - as in InstallOptions
   */
  async requireModel(
    id: string,
    signal: AbortSignal,
    autoInstall = false,
    receive?: Receive,
  ): Promise<InstalledModel> {
    const entry = await this.#entry(id);
    const device = await this.#options.device();
    const variant = chooseVariant(entry, device);
    const isOurs = entry.update || (isEmbedded(entry) && variant.source.kind === 'pack');
    if (!variant.installed && !isOurs && !autoInstall)
      throw notInstalledHere(entry, variant, device);
    return this.#ensureInstalled(entry, signal, { receive });
  }

  /** Downloads a model from any source, unless it is installed already. */
  async install(
    id: string,
    signal: AbortSignal,
    options: InstallOptions = {},
  ): Promise<InstalledModel> {
    return this.#ensureInstalled(await this.#entry(id), signal, options);
  }

  /** Ends a running download for everyone who waits for it. What was received is kept. */
  pause(id: string): void {
    const message = `The download of '${id}' was paused. Install the model again to continue it.`;
    this.#downloads.stop(id, serverError('download_paused', message));
  }

  /** Adds a model to the catalog. @param source - as `readModelSource` takes it, or an id */
  async add(source: string, signal: AbortSignal): Promise<CatalogEntry> {
    return addModel(source, this.#options, signal);
  }

  /**
   * Adds a model to the catalog, and installs it: files are copied to the weight store, and of handles it keeps where their
   * files lie.
   *
   * @param given - all parts of one model
   */
  async addFiles(
    given: readonly GivenFile[],
    signal: AbortSignal,
    options: InstallOptions = {},
  ): Promise<CatalogEntry> {
    const { weights } = this.#options;
    const opened = await Promise.all(given.map(openGiven));
    const files = opened.map(({ file }) => file);
    const entry = await addGiven(files, this.#options);
    await this.#withLock(entry.id, signal, () => linkGiven(entry, opened, weights));
    const copy = () => this.install(entry.id, signal, options);
    return (await this.#local.during(entry.id, files, copy)).entry;
  }

  /** Ends the model's download and deletes its files. The catalog forgets the model only if the user had added it. */
  async remove(id: string): Promise<void> {
    const { catalog, weights, progress } = this.#options;
    const entry = await this.#entry(id);
    const reason = serverError('download_paused', `The model '${id}' was removed.`);
    this.#downloads.stop(id, reason);
    await this.#withLock(id, new AbortController().signal, async () => {
      const { added, update = entry } = entry;
      await (added ? catalog.delete(id) : catalog.put(uninstalled(update)));
      await weights.remove(id);
      await catalog.endPlan(id);
    });
    await this.#options.onRemoved?.(id);
    // Tells all tabs.
    progress.reportEnd(id, 'unloaded', 'Removed');
  }

  /** The variant that this device uses, installed or not. */
  async variantOf(id: string): Promise<Variant> {
    return chooseVariant(await this.#entry(id), await this.#options.device());
  }

  /** Records that the model is being used now. Ignores failures. */
  async touch(id: string): Promise<void> {
    await this.#options.catalog.touch(id).catch(() => undefined);
  }

  /**
   * Loads a model from its files, which are verified and, if damaged, downloaded again. Weights are
   * verified while they are being loaded; if one is damaged, the model is loaded a second time.
   *
   * @param onBytes - called as bytes of a damaged file arrive again
   */
  async loadVerified<T>(
    model: InstalledModel,
    load: (read: ReadFile) => Promise<T>,
    signal: AbortSignal,
    onBytes: () => void,
  ): Promise<T> {
    const { weights } = this.#options;
    const repair = async () => {
      await this.#ensureInstalled(model.entry, signal, { onBytes });
    };
    const early = verifiedFiles(model, weights, repair, isWeights);
    try {
      const loaded = await load(early.read);
      if (await early.wereIntact()) return loaded;
    } catch (error) {
      if (await early.wereIntact()) throw error;
    }
    return load(verifiedFiles(model, weights, repair).read);
  }

  /** Reads a JSON note that is stored beside the model's files; undefined if it is missing or cannot be read. */
  async readNote({ entry, installation }: InstalledModel, path: string): Promise<unknown> {
    try {
      const blob = await this.#options.weights.get(entry.id, installation.revision, path);
      return blob && (JSON.parse(await blob.text()) as unknown);
    } catch {
      return undefined;
    }
  }

  /** Keeps a note until the model's files are removed. A full disk is not an error. */
  async keepNote(model: InstalledModel, path: string, note: unknown): Promise<void> {
    const { entry, installation } = model;
    const blob = new Blob([JSON.stringify(note)]);
    const file = { blob, sha256: await blobSha256(blob) };
    const { weights } = this.#options;
    await weights.put(entry.id, installation.revision, path, file).catch(() => undefined);
  }

  async #entry(id: string): Promise<CatalogEntry> {
    const entry = await this.#options.catalog.get(id);
    if (!entry) throw modelNotFound(id, 'The catalog does not know it; models.add() adds it.');
    return entry;
  }

  async #ensureInstalled(
    entry: CatalogEntry,
    signal: AbortSignal,
    options: InstallOptions,
  ): Promise<InstalledModel> {
    const { id } = entry;
    const device = await this.#options.device();
    const model = onDevice(entry, device);
    const { installed, source } = model.variant;
    if (installed && refusals(model.variant, device).length === 0) {
      const missing = await missingFiles(id, installed, this.#options.weights);
      const installation = source.kind === 'pack' ? packInstallation(source) : installed;
      if (missing.length === 0) {
        // No user has asked for it now.
        if (entry.update && !isMetered()) this.#update(entry.update, device);
        return { ...model, installation };
      }
    }
    // If the installed revision is incomplete, the site no longer has its files: install the update instead.
    const wanted = entry.update ? onDevice(entry.update, device) : model;
    refuseImpossible(wanted.entry, wanted.variant, device);
    return this.#downloads.join(id, signal, (shared) =>
      this.#withLock(id, shared, () => this.#downloader.run(wanted, shared, options)),
    );
  }

  /** Downloads a model's update in the background. */
  #update(update: CatalogEntry, device: Device): void {
    const { id } = update;
    const wanted = onDevice(update, device);
    if (this.#updates.has(id) || refusals(wanted.variant, device).length > 0) return;
    this.#updates.add(id);
    const never = new AbortController().signal;
    const updating = this.#downloads.join(id, never, (shared) =>
      this.#withLock(id, shared, () => this.#downloader.update(wanted, shared)),
    );
    // The next engine tries it again.
    updating.catch(() => undefined);
  }

  /** Runs one job per model at a time, across all tabs and workers: a replaced worker may still be running. */
  #withLock<T>(id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const lock = `slashv1:weights:${this.#options.base}:${id}`;
    return navigator.locks.request(lock, { signal }, work);
  }
}

/** The variant of a model that a device uses, and how it is loaded there. */
function onDevice(entry: CatalogEntry, device: Device): ModelOnDevice {
  const variant = chooseVariant(entry, device);
  const contextLength = contextThatFits(entry, variant, device);
  if (variant.engine !== 'llamacpp') return { entry, variant, contextLength };
  const kvCacheType = kvCacheTypeOf(entry, variant, device);
  const runsOn = ggufDevice(entry, variant, device);
  return { entry, variant, contextLength, runsOn, ...(kvCacheType && { kvCacheType }) };
}

/** Weights can be loaded before they are checked: they are not parsed, so damage only shows in the answers. */
function isWeights(path: string): boolean {
  return path.endsWith('.bin') || path.endsWith('.gguf');
}

function uninstalled(entry: CatalogEntry): CatalogEntry {
  const variants = entry.variants.map((variant) => {
    const { installed: _, measured: __, ...rest } = variant;
    return rest;
  });
  const { wantedContext: _, wantedKvCacheType: __, ...rest } = entry;
  return { ...rest, variants };
}
