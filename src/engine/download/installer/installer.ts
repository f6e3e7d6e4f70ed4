import { modelNotFound, serverError } from '../../../core/errors/errors.ts';
import { isEmbedded, type CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type { CatalogStore } from '../../../core/catalog/catalog-store.ts';
import { chooseVariant } from '../../../core/fit/choose-variant.ts';
import { contextThatFits } from '../../../core/fit/context-that-fits.ts';
import type { Device } from '../../../core/fit/device-fit.ts';
import { missingFiles } from '../../../core/weights/installation-progress.ts';
import { totalBytes, type Installation, type Variant } from '../../../core/catalog/variant.ts';
import { blobSha256, type WeightStore } from '../../../core/weights/weight-store.ts';
import type { ProgressBoard } from '../../scheduling/progress-board.ts';
import { addGiven, addModel } from './add-model.ts';
import { download } from '../transfer/download.ts';
import { DownloadReport, stopOf } from '../transfer/download-report.ts';
import { packInstallation } from './embedded-packs.ts';
import type { EngineInstallers } from './engine-installer.ts';
import { FileGone } from '../transfer/file-transfer.ts';
import { LocalFiles } from './local-files.ts';
import { learnFeatures, planInstallation } from './plan-variant.ts';
import type { InstalledModel } from './installed-model.ts';
import { notInstalledHere, refuseImpossible } from './unavailable-model.ts';
import type { ReadFile } from '../transfer/read-file.ts';
import type { Retry } from '../transfer/retried.ts';
import type { Receiver } from '../transfer/receiver.ts';
import { SharedWork } from './shared-work.ts';
import { StorageRoom } from './storage-room.ts';
import { verifiedFiles } from './verified-files.ts';

/** How a model may be installed. */
export interface InstallOptions {
  /** Remove other models to make room, except these; undefined: remove none. */
  keep?: ReadonlySet<string>;
  /** Called as bytes arrive, unless another caller began the download. */
  onBytes?: () => void;
  /** Called before the download, unless another caller began it. Who is returned gets the bytes too. */
  receive?: Receive | undefined;
}

export type Receive = (model: InstalledModel) => Promise<Receiver | undefined>;

interface Parts {
  catalog: CatalogStore;
  weights: WeightStore;
  progress: ProgressBoard;
  engines: EngineInstallers;
  /** What decides which variant of a model is installed, and how it is loaded. */
  device: () => Promise<Device>;
  /** Names this deployment among those of its origin. */
  base: string;
  /** Another patience with the network than usual, for tests. */
  retry?: Retry;
}

/** Finds, installs and removes models. */
export class Installer {
  readonly #parts: Parts;
  readonly #room: StorageRoom;
  readonly #downloads = new SharedWork<InstalledModel>();
  readonly #local = new LocalFiles();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { catalog, weights } = parts;
    this.#room = new StorageRoom({ catalog, weights, remove: (id) => this.remove(id) });
  }

  /**
   * The model, ready to be loaded. A pack of this site is downloaded if necessary. Any other model must
   * be installed already, because a download of gigabytes needs someone's consent.
   *
   * @param autoInstall - there is consent: download it
   * @param receive - as in InstallOptions
   */
  async requireModel(
    id: string,
    signal: AbortSignal,
    autoInstall = false,
    receive?: Receive,
  ): Promise<InstalledModel> {
    const entry = await this.#entry(id);
    const device = await this.#parts.device();
    const variant = chooseVariant(entry, device);
    const isOurs = isEmbedded(entry) && variant.source.kind === 'pack';
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
    return addModel(source, this.#parts, signal);
  }

  /** Adds a model to the catalog, and copies its files, all parts of one model, to the weight store. */
  async addFiles(
    files: readonly File[],
    signal: AbortSignal,
    options: InstallOptions = {},
  ): Promise<CatalogEntry> {
    const entry = await addGiven(files, this.#parts);
    const copy = () => this.install(entry.id, signal, options);
    return (await this.#local.during(entry.id, files, copy)).entry;
  }

  /** Ends its download and deletes the model's files. The catalog forgets the model only if the user had added it. */
  async remove(id: string): Promise<void> {
    const { catalog, weights, progress } = this.#parts;
    const entry = await this.#entry(id);
    const reason = serverError('download_paused', `The model '${id}' was removed.`);
    this.#downloads.stop(id, reason);
    await this.#withLock(id, new AbortController().signal, async () => {
      await (entry.added ? catalog.delete(id) : catalog.put(uninstalled(entry)));
      await weights.remove(id);
      await catalog.endPlan(id);
    });
    // All tabs learn of it.
    progress.reportEnd(id, 'unloaded', 'Removed');
  }

  /** The variant that this device uses, installed or not. */
  async variantOf(id: string): Promise<Variant> {
    return chooseVariant(await this.#entry(id), await this.#parts.device());
  }

  /** Records that the model is being used now. If that fails, nothing else has to. */
  async touch(id: string): Promise<void> {
    await this.#parts.catalog.touch(id).catch(() => undefined);
  }

  /**
   * Loads a model from its files, which are verified and, if damaged, downloaded again. Weights are
   * verified while they are being loaded; if one is damaged, the model is loaded a second time.
   *
   * @param onBytes - called as bytes arrive of a file that is downloaded again
   */
  async loadVerified<T>(
    model: InstalledModel,
    load: (read: ReadFile) => Promise<T>,
    signal: AbortSignal,
    onBytes: () => void,
  ): Promise<T> {
    const { weights } = this.#parts;
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

  /** A note beside the model's files, as JSON; undefined if there is none that can be read. */
  async readNote({ entry, installation }: InstalledModel, path: string): Promise<unknown> {
    try {
      const blob = await this.#parts.weights.get(entry.id, installation.revision, path);
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
    const { weights } = this.#parts;
    await weights.put(entry.id, installation.revision, path, file).catch(() => undefined);
  }

  async #entry(id: string): Promise<CatalogEntry> {
    const entry = await this.#parts.catalog.get(id);
    if (!entry) throw modelNotFound(id, 'The catalog does not know it; models.add() adds it.');
    return entry;
  }

  async #ensureInstalled(
    entry: CatalogEntry,
    signal: AbortSignal,
    options: InstallOptions,
  ): Promise<InstalledModel> {
    const { id } = entry;
    const device = await this.#parts.device();
    const variant = chooseVariant(entry, device);
    refuseImpossible(entry, variant, device);
    const contextLength = contextThatFits(entry, variant, device);
    const { installed, source } = variant;
    const installation = source.kind === 'pack' ? packInstallation(source) : installed;
    if (installation && installed?.revision === installation.revision) {
      const missing = await missingFiles(id, installation, this.#parts.weights);
      if (missing.length === 0) return { entry, variant, installation, contextLength };
    }
    return this.#downloads.join(id, signal, (shared) =>
      this.#withLock(id, shared, () =>
        this.#download({ entry, variant, contextLength }, shared, options),
      ),
    );
  }

  async #download(
    model: Omit<InstalledModel, 'installation'>,
    signal: AbortSignal,
    options: InstallOptions,
  ): Promise<InstalledModel> {
    const { catalog, weights, progress, retry } = this.#parts;
    const { id } = model.entry;
    const report = new DownloadReport(id, (event) => progress.report(event));
    let receiver: Receiver | undefined;
    try {
      const installation = await this.#plan(id, model.variant, signal);
      await catalog.begin(id, { variant: model.variant.id, ...installation });
      await this.#room.check(id, installation, options.keep);
      const onBytes = (loaded: number, total: number) => {
        report.bytes(loaded, total);
        options.onBytes?.();
      };
      receiver = await options.receive?.({ ...model, installation });
      const fetchFile = this.#local.fetchFor(id);
      await this.#room.make(id, installation, options.keep, () =>
        download(id, installation, weights, onBytes, signal, { fetchFile, receiver, retry }),
      );
      const finished = await this.#finish({ ...model, installation });
      report.done();
      return finished;
    } catch (error) {
      receiver?.giveUp();
      await catalog.stop(id, stopOf(error, signal)).catch(() => undefined);
      if (signal.aborted) report.paused();
      else report.failed(error);
      // The planned files are no longer available: the next attempt makes a new plan.
      if (error instanceof FileGone) await catalog.endPlan(id);
      throw error;
    }
  }

  /** The files to download: of a hub model, those of the installation or the download that exists. */
  async #plan(id: string, variant: Variant, signal: AbortSignal): Promise<Installation> {
    const { catalog, engines } = this.#parts;
    const planned = () => planInstallation(variant, engines, signal);
    if (variant.source.kind === 'pack') return planned();
    if (variant.installed) return variant.installed;
    const begun = await catalog.plan(id);
    return begun?.variant === variant.id
      ? { revision: begun.revision, files: begun.files }
      : planned();
  }

  async #finish(model: InstalledModel): Promise<InstalledModel> {
    const { entry, variant, installation } = model;
    const { catalog, weights, engines } = this.#parts;
    const { id } = entry;
    const read = (path: string) => weights.get(id, installation.revision, path);
    const features = await learnFeatures(variant, engines, read);
    const bytes = totalBytes(installation.files);
    const installed = { ...variant, installed: installation, bytes };
    const finished = await catalog.finish(entry, { variant: installed, features });
    await catalog.touch(id);
    const revisions = finished.variants.flatMap((each) => each.installed?.revision ?? []);
    await weights.keepRevisions(id, revisions);
    return { ...model, entry: finished, variant: installed };
  }

  /** One at a time among all tabs and workers: a worker that was replaced may still be running. */
  #withLock<T>(id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const lock = `slashv1:weights:${this.#parts.base}:${id}`;
    return navigator.locks.request(lock, { signal }, work);
  }
}

/** Weights are not parsed: damage would only show in the answers. */
function isWeights(path: string): boolean {
  return path.endsWith('.bin') || path.endsWith('.gguf');
}

function uninstalled(entry: CatalogEntry): CatalogEntry {
  const variants = entry.variants.map((variant) => {
    const { installed: _, measured: __, ...rest } = variant;
    return rest;
  });
  return { ...entry, variants };
}
