import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type { CatalogStore } from '../../../core/catalog/catalog-store.ts';
import { totalBytes, type Installation, type Variant } from '../../../core/catalog/variant.ts';
import type { FileKey } from '../../../core/database/database.ts';
import { installationProgress } from '../../../core/weights/installation-progress.ts';
import type { WeightStore } from '../../../core/weights/weight-store.ts';
import type { ProgressBoard } from '../../scheduling/progress-board.ts';
import { download } from '../transfer/download.ts';
import { DownloadReport, stopOf } from '../transfer/download-report.ts';
import { FileGone } from '../transfer/file-transfer.ts';
import type { Receiver } from '../transfer/receiver.ts';
import type { Retry } from '../transfer/retried.ts';
import type { EngineInstallers } from './engine-installer.ts';
import type { InstalledModel } from './installed-model.ts';
import type { LocalFiles } from './local-files.ts';
import { learnFeatures, planInstallation } from './plan-variant.ts';
import type { StorageRoom } from './storage-room.ts';
import { revisionsOf } from './tidy-weights.ts';

/** How a model may be installed. */
export interface InstallOptions {
  /** Remove other models to make room, except these; undefined: remove none. */
  keep?: ReadonlySet<string>;
  /** Called as bytes arrive, unless another caller began the download. */
  onBytes?: () => void;
  /** Called before the download, unless another caller began it. The returned receiver gets the bytes too. */
  receive?: Receive | undefined;
}

export type Receive = (model: InstalledModel) => Promise<Receiver | undefined>;

/** A model as a device uses it, installed or not. */
export type ModelOnDevice = Omit<InstalledModel, 'installation'>;

interface Installing extends Omit<InstallOptions, 'onBytes'> {
  onBytes?: (loadedBytes: number, totalBytes: number) => void;
  /** An older revision serves requests meanwhile. */
  isUpdate?: boolean;
}

interface DownloaderParts {
  catalog: CatalogStore;
  weights: WeightStore;
  progress: ProgressBoard;
  engines: EngineInstallers;
  room: StorageRoom;
  local: LocalFiles;
  retry?: Retry | undefined;
}

/** Downloads models into the weight store and notes them in the catalog as installed. */
export class ModelDownloader {
  readonly #parts: DownloaderParts;

  constructor(parts: DownloaderParts) {
    this.#parts = parts;
  }

  /** Downloads the model and reports its progress. */
  async run(
    model: ModelOnDevice,
    signal: AbortSignal,
    options: InstallOptions,
  ): Promise<InstalledModel> {
    const { catalog, progress } = this.#parts;
    const { id } = model.entry;
    const report = new DownloadReport(id, (event) => progress.report(event));
    try {
      const onBytes = (loaded: number, total: number) => {
        report.bytes(loaded, total);
        options.onBytes?.();
      };
      const finished = await this.#install(model, signal, { ...options, onBytes });
      report.done();
      return finished;
    } catch (error) {
      await catalog.stop(id, stopOf(error, signal)).catch(() => undefined);
      if (signal.aborted) report.paused();
      else report.failed(error);
      // The planned files are no longer available: the next attempt makes a new plan.
      if (error instanceof FileGone) await catalog.endPlan(id);
      throw error;
    }
  }

  /** Downloads an update. Reports nothing: the installed files serve meanwhile. */
  update(model: ModelOnDevice, signal: AbortSignal): Promise<InstalledModel> {
    return this.#install(model, signal, { isUpdate: true });
  }

  async #install(
    model: ModelOnDevice,
    signal: AbortSignal,
    { keep, onBytes = () => undefined, receive, isUpdate }: Installing,
  ): Promise<InstalledModel> {
    const { catalog, weights, local, room, retry } = this.#parts;
    const { id } = model.entry;
    let receiver: Receiver | undefined;
    try {
      const installation = await this.#plan(id, model.variant, signal);
      if (!isUpdate) await catalog.begin(id, { variant: model.variant.id, ...installation });
      const { missing, missingBytes } = await installationProgress(id, installation, weights);
      await room.check(id, missingBytes, keep);
      receiver = await receive?.({ ...model, installation });
      const fetchFile = local.fetchFor(id);
      const alike = filesByHash((await catalog.get(id)) ?? model.entry, installation);
      await room.make(id, installation, keep, (isFirst) =>
        download(id, installation, weights, onBytes, signal, {
          fetchFile,
          receiver,
          retry,
          alike,
          missing: isFirst ? missing : undefined,
        }),
      );
      return await this.#finish({ ...model, installation }, isUpdate);
    } catch (error) {
      receiver?.giveUp();
      throw error;
    }
  }

  /** The files to download. An existing installation or download of a hub model keeps its files. */
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

  async #finish(model: InstalledModel, isUpdate = false): Promise<InstalledModel> {
    const { entry, variant, installation } = model;
    const { catalog, weights, engines } = this.#parts;
    const { id } = entry;
    const read = (path: string) => weights.get(id, installation.revision, path);
    const features = await learnFeatures(variant, engines, read);
    const bytes = totalBytes(installation.files);
    const installed = { ...variant, installed: installation, bytes };
    const finished = await catalog.finish(entry, { variant: installed, features });
    // The revision that serves requests is still being read: `tidyWeights` deletes it later.
    if (!isUpdate) {
      await catalog.touch(id);
      await weights.keepRevisions(id, [...revisionsOf(finished)]);
    }
    return { ...model, entry: finished, variant: installed };
  }
}

/** SHA-256 → a file of another installed revision of the model. */
function filesByHash(entry: CatalogEntry, { revision }: Installation): Map<string, FileKey> {
  const others = entry.variants.flatMap(({ installed }) => installed ?? []);
  return new Map(
    others
      .filter((other) => other.revision !== revision)
      .flatMap((other) =>
        other.files.flatMap(({ path, sha256 }): [string, FileKey][] =>
          sha256 === undefined ? [] : [[sha256, [entry.id, other.revision, path]]],
        ),
      ),
  );
}
