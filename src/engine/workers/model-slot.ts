import type { CatalogReader } from '../../core/catalog/catalog.ts';
import { modelNotFound, serverError } from '../../core/errors/errors.ts';
import type { EngineName } from '../../core/catalog/variant.ts';
import type { WeightStore } from '../../core/weights/weight-store.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import type { ReadFile } from '../download/transfer/read-file.ts';
import { verifiedFiles } from '../download/installer/verified-files.ts';

export interface SlotParts<M> {
  catalog: Pick<CatalogReader, 'get'>;
  weights: WeightStore;
  /** What runs the model here. */
  engine: EngineName;
  /** Loads a model from its files, which are verified when they are read. */
  open: (installed: InstalledModel, read: ReadFile) => Promise<M>;
}

/** The one model that a worker has in memory. */
export class ModelSlot<M extends { dispose(): Promise<void> }> {
  readonly #parts: SlotParts<M>;
  #loaded: { id: string; model: M } | undefined;
  /** Settles after the latest load: models are loaded one at a time. */
  #loading: Promise<unknown> = Promise.resolve();

  constructor(parts: SlotParts<M>) {
    this.#parts = parts;
  }

  /**
   * Loads an installed model, unless it is loaded already. A model that was loaded before is disposed.
   *
   * @throws ApiError 404 if the model is not installed, 500 if a file of it is damaged
   */
  load(id: string): Promise<M> {
    // A cancelled job may still be loading.
    const model = this.#loading.then(() => this.#load(id));
    this.#loading = model.catch(() => undefined);
    return model;
  }

  async #load(id: string): Promise<M> {
    if (this.#loaded?.id === id) return this.#loaded.model;
    const entry = await this.#parts.catalog.get(id);
    const { engine } = this.#parts;
    const variant = entry?.variants.find((each) => each.engine === engine && each.installed);
    if (!entry || !variant?.installed) throw modelNotFound(id);
    await this.#dispose();
    const { contextLength } = entry;
    const installed = { entry, variant, installation: variant.installed, contextLength };
    const { read } = verifiedFiles(installed, this.#parts.weights, damaged);
    const model = await this.#parts.open(installed, read);
    this.#loaded = { id, model };
    return model;
  }

  async #dispose(): Promise<void> {
    const old = this.#loaded;
    this.#loaded = undefined;
    await old?.model.dispose();
  }
}

/** The damaged file is removed. The engine worker downloads it before the next job. */
function damaged(): Promise<never> {
  const message =
    'A file of the model was damaged in this browser’s storage. Try again: it will be downloaded again.';
  return Promise.reject(serverError('engine_error', message));
}
