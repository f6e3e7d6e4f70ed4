import { modelNotFound } from '../core/errors.ts';
import type { CatalogEntry, Installation } from '../core/catalog-entry.ts';
import type { CatalogStore } from '../core/catalog.ts';
import type { WeightStore } from '../core/weight-store.ts';
import { templateFeatures } from '../core/reasoning-splitter.ts';
import { readTokenizerFacts } from './tokenizer-files.ts';
import { download, type OnBytes } from './download.ts';
import { packInstallation } from './embedded-packs.ts';
import { hubInstallation, type Hub } from './hub.ts';
import type { ProgressBoard } from './progress-board.ts';
import type { Retry } from './retried.ts';

/** A model all of whose files are in the weight store. */
export interface InstalledModel {
  entry: CatalogEntry;
  installation: Installation;
}

interface Stores {
  catalog: CatalogStore;
  weights: WeightStore;
  progress: ProgressBoard;
  hub: Hub;
  /** Another patience with the network than usual, for tests. */
  retry?: Retry;
}

/** Installs, finds and removes models. */
export class ModelLibrary {
  readonly #stores: Stores;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /**
   * The model, ready to be loaded. A pack of this site is downloaded when it has to be; a hub model
   * must have been installed, for it takes gigabytes that somebody should have asked for.
   */
  async require(id: string, signal: AbortSignal): Promise<InstalledModel> {
    const entry = await this.#stores.catalog.get(id);
    if (!entry) throw modelNotFound(id);
    const { installed, source } = entry;
    if (source.kind === 'pack') return this.#fetch(entry, packInstallation(source), signal);
    if (installed) return this.#fetch(entry, installed, signal);
    throw modelNotFound(id, 'Install it from the hub with models.install().');
  }

  /** Downloads a model, whatever its source. Does nothing for one that is there. */
  async install(id: string, signal: AbortSignal): Promise<InstalledModel> {
    const entry = await this.#stores.catalog.get(id);
    if (!entry) throw modelNotFound(id, 'The catalog does not know it.');
    const { installed, source } = entry;
    if (source.kind === 'pack' || installed) return this.require(id, signal);
    return this.#fetch(entry, await hubInstallation(this.#stores.hub, source, signal), signal);
  }

  /** Deletes the model's files; the catalog still knows it. */
  async remove(id: string): Promise<void> {
    const { catalog, weights } = this.#stores;
    const entry = await catalog.get(id);
    if (!entry) throw modelNotFound(id);
    const { installed: _, ...rest } = entry;
    await catalog.put(rest);
    await weights.remove(id);
  }

  async #fetch(
    entry: CatalogEntry,
    installation: Installation,
    signal: AbortSignal,
  ): Promise<InstalledModel> {
    const { catalog, weights, progress, retry } = this.#stores;
    const model = entry.id;
    const onBytes = everyPercent((loadedBytes, totalBytes) =>
      progress.report({ model, stage: 'download', loadedBytes, totalBytes, text: 'Downloading' }),
    );
    await download(model, installation, weights, onBytes, signal, retry);
    if (entry.installed?.revision !== installation.revision) {
      const bytes = installation.files.reduce((sum, file) => sum + file.size, 0);
      const read = (path: string) => weights.get(model, installation.revision, path);
      // A pack's manifest says it; a hub model's files have to be asked.
      const features =
        entry.source.kind === 'pack'
          ? entry.source.manifest.features
          : templateFeatures((await readTokenizerFacts(read)).chatTemplate);
      await catalog.put({ ...entry, installed: installation, bytes, features });
      await weights.remove(model, installation.revision);
    }
    return { entry, installation };
  }
}

/** Chunks come thousands a second; nobody sees more than a hundred steps. */
function everyPercent(report: OnBytes): OnBytes {
  let last = -1;
  return (loadedBytes, totalBytes) => {
    const percent = totalBytes > 0 ? Math.floor((100 * loadedBytes) / totalBytes) : 0;
    if (percent !== last) report(loadedBytes, totalBytes);
    last = percent;
  };
}
