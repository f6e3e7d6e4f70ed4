import type { CatalogModel, Progress, Slashv1 } from '../../index.ts';
import { readSetting, writeSetting } from '../ui/settings.ts';

/** Which model answers, what the others are, and how far each of them is. */
export class ModelShelf {
  readonly #v1: Slashv1;
  readonly #onChange: () => void;
  readonly #progress = new Map<string, Progress>();
  #models: CatalogModel[] = [];
  #selected = '';
  #download: { model: string; controller: AbortController } | null = null;
  /** A download that failed, until somebody reacts to it. */
  #failedDownload: string | null = null;

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
    return this.#download?.model ?? this.#failedDownload ?? this.#selected;
  }

  /** There is a download in focus, running or failed. */
  get hasDownload(): boolean {
    return this.#download !== null || this.#failedDownload !== null;
  }

  progressOf(model: string): Progress | undefined {
    return this.#progress.get(model);
  }

  /** Reads the catalog and loads the model of the last visit, or the first that needs no download. */
  async open(): Promise<void> {
    await this.refresh();
    const local = this.#models.filter(({ state }) => state !== 'available');
    const last = readSetting('model');
    const model = local.find(({ id }) => id === last) ?? local[0];
    if (model) await this.select(model.id);
  }

  async refresh(): Promise<void> {
    this.#models = await this.#v1.models.list();
    this.#onChange();
  }

  /** From now on this model answers. Questions need not wait for it: the API does. */
  async select(model: string): Promise<void> {
    this.#selected = model;
    writeSetting('model', model);
    this.#onChange();
    await this.#attempt(model, () => this.#v1.models.load(model));
  }

  /** Downloads a model, and then selects it. */
  async install(model: string): Promise<void> {
    this.dismissDownload();
    const controller = new AbortController();
    this.#download = { model, controller };
    this.#note(emptyProgress(model, 'download'));
    const { signal } = controller;
    const installed = await this.#attempt(model, () => this.#v1.models.install(model, { signal }));
    if (signal.aborted) return;
    this.#download = null;
    this.#failedDownload = installed ? null : model;
    await this.refresh();
    if (installed) await this.select(model);
  }

  /** Ends a running download, and takes a failed one as read. */
  dismissDownload(): void {
    if (!this.hasDownload) return;
    this.#progress.delete(this.inFocus);
    this.#failedDownload = null;
    const download = this.#download;
    this.#download = null;
    download?.controller.abort();
    this.#onChange();
  }

  /** What failed for this model is tried again. */
  async retry(model: string): Promise<void> {
    await (this.#failedDownload === model ? this.install(model) : this.select(model));
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
      const aborted = error instanceof DOMException && error.name === 'AbortError';
      if (!aborted) this.#note({ ...emptyProgress(model, 'failed'), text: messageOf(error) });
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
