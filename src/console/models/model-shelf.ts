import { ApiError, type CatalogModel, type Progress, type Slashv1 } from '../../index.ts';
import { errorMessage } from '../error-message.ts';
import { readSetting, writeSetting } from '../ui/settings.ts';
import { isReadyToUse } from './ready-to-use.ts';

/** Keeps the list of models, which one of them answers, and the progress of each. */
export class ModelShelf {
  readonly #v1: Slashv1;
  readonly #onChange: () => void;
  readonly #progress = new Map<string, Progress>();
  #models: CatalogModel[] = [];
  #selected = '';
  /** The model whose download was started here: running, paused, or failed and not yet dismissed. */
  #download: string | null = null;

  /** `onChange` is called when anything that is shown of the models has changed. */
  constructor(v1: Slashv1, onChange: () => void) {
    this.#v1 = v1;
    this.#onChange = onChange;
    v1.onProgress((progress) => this.#setProgress(progress));
  }

  get models(): readonly CatalogModel[] {
    return this.#models;
  }

  /** Id of the model that answers; empty before `open`. */
  get selected(): string {
    return this.#selected;
  }

  /** Id of the model whose progress is shown: the one being downloaded, else the one that answers. */
  get inFocus(): string {
    return this.#download ?? this.#selected;
  }

  /** Whether the model in focus is a download: running, paused or failed. */
  get hasDownload(): boolean {
    return this.#download !== null;
  }

  progressOf(model: string): Progress | undefined {
    return this.#progress.get(model);
  }

  /** Reads the catalog and loads the model of the last visit, else the first that is ready to use. */
  async open(): Promise<void> {
    await this.refresh();
    const ready = this.#models.filter(isReadyToUse);
    const last = readSetting('model');
    const model = ready.find(({ id }) => id === last) ?? ready[0];
    if (model) await this.select(model.id);
  }

  async refresh(): Promise<void> {
    // Only chat models can answer.
    this.#models = (await this.#v1.models.list()).filter(({ task }) => task === 'chat');
    this.#onChange();
  }

  /**
   * Makes this model the one that answers, and loads it. Questions can be sent before it is loaded,
   * because the API waits for it.
   *
   * @param anyway - although loading it has ended the tab before
   */
  async select(model: string, anyway = false): Promise<void> {
    this.#selected = model;
    writeSetting('model', model);
    this.#onChange();
    await this.#attempt(model, () => this.#v1.models.load(model, { anyway }));
  }

  /** Downloads a model, or resumes its download, and then selects it. */
  async install(model: string): Promise<void> {
    if (this.#download !== model) this.dismissDownload();
    this.#download = model;
    // Some browsers grant this only right after a click.
    void this.#v1.models.persist().catch(() => undefined);
    const { loadedBytes = 0, totalBytes = 0 } = this.#progress.get(model) ?? {};
    this.#setProgress({ ...emptyProgress(model, 'download'), loadedBytes, totalBytes });
    const installed = await this.#attempt(model, () => this.#v1.models.install(model));
    await this.refresh();
    if (!installed || this.#download !== model) return;
    this.#download = null;
    await this.select(model);
  }

  /** Pauses the download in focus. The bytes received so far are kept. */
  async pauseDownload(): Promise<void> {
    if (this.#download !== null) await this.#v1.models.pause(this.#download);
  }

  /** Stops showing the download in focus, and pauses it if it is running. */
  dismissDownload(): void {
    if (this.#download === null) return;
    if (this.#progress.get(this.#download)?.stage === 'download') void this.pauseDownload();
    this.#progress.delete(this.#download);
    this.#download = null;
    this.#onChange();
  }

  /** Tries again what failed for this model, or resumes its download. */
  async retry(model: string): Promise<void> {
    await (this.#download === model ? this.install(model) : this.select(model, true));
  }

  async remove(model: string): Promise<void> {
    await this.#attempt(model, () => this.#v1.models.remove(model));
    this.#progress.delete(model);
    await this.refresh();
  }

  async #attempt(model: string, action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      const wasPaused = error instanceof ApiError && error.data.code === 'download_paused';
      if (!wasPaused) {
        this.#setProgress({ ...emptyProgress(model, 'failed'), text: errorMessage(error) });
      }
      return false;
    }
  }

  #setProgress(progress: Progress): void {
    this.#progress.set(progress.model, progress);
    this.#onChange();
  }
}

function emptyProgress(model: string, stage: Progress['stage']): Progress {
  return { model, stage, loadedBytes: 0, totalBytes: 0, text: '' };
}
