import { modelUnusable, serverError } from '../../core/errors/errors.ts';
import type { WeightStore } from '../../core/weights/weight-store.ts';
import { ModelFileError } from '../download/hub/model-file-error.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import type { ReadFile } from '../download/transfer/read-file.ts';
import { verifiedFiles } from '../download/installer/verified-files.ts';

export interface SlotParts<M> {
  weights: WeightStore;
  /** Loads a model from its files, which are verified when they are read. */
  open: (installed: InstalledModel, read: ReadFile) => Promise<M>;
}

/** The one model that a worker has in memory. */
export class ModelSlot<M extends { dispose(): Promise<void> }> {
  readonly #parts: SlotParts<M>;
  #model: M | undefined;

  constructor(parts: SlotParts<M>) {
    this.#parts = parts;
  }

  /** @throws Error if no model is loaded */
  get model(): M {
    if (this.#model === undefined) throw new Error('The worker has no model.');
    return this.#model;
  }

  /**
   * Loads the variant that the engine chose. A model that was loaded before is disposed.
   *
   * @throws ApiError 500 if a file of it is damaged or cannot be used
   */
  async load(installed: InstalledModel): Promise<void> {
    const old = this.#model;
    this.#model = undefined;
    await old?.dispose();
    const { read } = verifiedFiles(installed, this.#parts.weights, damaged);
    try {
      this.#model = await this.#parts.open(installed, read);
    } catch (error) {
      if (!(error instanceof ModelFileError)) throw error;
      throw modelUnusable(installed.entry.id, error.fault);
    }
  }
}

/** The damaged file is removed. The engine worker downloads it before the next job. */
function damaged(): Promise<never> {
  const message =
    'A file of the model was damaged in this browser’s storage. Try again: it will be downloaded again.';
  return Promise.reject(serverError('engine_error', message));
}
