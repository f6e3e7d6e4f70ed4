import { ApiError, type CatalogModel, type Progress, type Slashv1 } from '../../index.ts';
import { readSetting, writeSetting } from '../ui/settings.ts';
import { isAtHand } from './at-hand.ts';

/** Which model answers, what the others are, and how far each of them is. */
export class ModelShelf {
  readonly #v1: Slashv1;
  readonly #onChange: () => void;
  readonly #progress = new Map<string, Progress>();
  #models: CatalogModel[] = [];
  #selected = '';
  /** A download that was asked for here: running, paused or failed, until somebody reacts to it. */
  #download: string | null = null;

  /** `onChange`: anything that is shown of the models has changed. */
  constructor(v1: Slashv1, onChange: () => void) {
    this.#v1 = v1;
    this.#onChange = onChange;
    v1.onProgress((progress) => this.#note(progress));
  }

  get models(): readonly CatalogModel[] {
    return this.#models;
  }

  /** Id of the model that answers; empty before `open`. */
  get selected(): string {
    return this.#selected;
  }

  /** Id of the model whose progress matters most: a download's, else that of the one that answers. */
  get inFocus(): string {
    return this.#download ?? this.#selected;
  }

  /** There is a download in focus, running, paused or failed. */
  get hasDownload(): boolean {
    return this.#download !== null;
  }

  progressOf(model: string): Progress | undefined {
    return this.#progress.get(model);
  }

  /** Reads the catalog and loads the model of the last visit, or the first that needs no download. */
  async open(): Promise<void> {
    await this.refresh();
    const local = this.#models.filter(isAtHand);
    const last = readSetting('model');
    const model = local.find(({ id }) => id === last) ?? local[0];
    if (model) await this.select(model.id);
  }

  async refresh(): Promise<void> {
    // A model that speaks cannot answer.
    this.#models = (await this.#v1.models.list()).filter(({ task }) => task === 'chat');
    this.#onChange();
  }

  /** From now on this model answers. Questions need not wait for it: the API does. */
  async select(model: string): Promise<void> {
    this.#selected = model;
    writeSetting('model', model);
    this.#onChange();
    await this.#attempt(model, () => this.#v1.models.load(model));
  }

  /** Downloads a model, or goes on with a download, and then selects it. */
  async install(model: string): Promise<void> {
    if (this.#download !== model) this.dismissDownload();
    this.#download = model;
    // Somebody has just clicked, which some browsers want for this.
    void this.#v1.models.persist().catch(() => undefined);
    const { loadedBytes = 0, totalBytes = 0 } = this.#progress.get(model) ?? {};
    this.#note({ ...emptyProgress(model, 'download'), loadedBytes, totalBytes });
    const installed = await this.#attempt(model, () => this.#v1.models.install(model));
    await this.refresh();
    if (!installed || this.#download !== model) return;
    this.#download = null;
    await this.select(model);
  }

  /** Stops the download in focus; what has come stays. */
  async pauseDownload(): Promise<void> {
    if (this.#download !== null) await this.#v1.models.pause(this.#download);
  }

  /** Pauses a running download, and takes one that is paused or failed as read. */
  dismissDownload(): void {
    if (this.#download === null) return;
    if (this.#progress.get(this.#download)?.stage === 'download') void this.pauseDownload();
    this.#progress.delete(this.#download);
    this.#download = null;
    this.#onChange();
  }

  /** What failed or was paused for this model is tried again. */
  async retry(model: string): Promise<void> {
    await (this.#download === model ? this.install(model) : this.select(model));
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
      if (!wasPaused) this.#note({ ...emptyProgress(model, 'failed'), text: messageOf(error) });
      return false;
    }
  }

  #note(progress: Progress): void {
    this.#progress.set(progress.model, progress);
    this.#onChange();
  }
}

function emptyProgress(model: string, stage: Progress['stage']): Progress {
  return { model, stage, loadedBytes: 0, totalBytes: 0, text: '' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
