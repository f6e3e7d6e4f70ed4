import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { ApiError, type CatalogModel, type Progress, type Slashv1 } from '../../index.ts';
import { readSetting, writeSetting } from '../ui/settings.ts';
import { isMetered, networkSpeed } from '../../core/fit/connection.ts';
import { isReadyToUse } from './stages.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** A download that waits for the user's word. */
interface DownloadQuestion {
  model: string;
  /** Begins it. */
  carryOut: () => void;
}

/** Keeps the list of models, which one of them answers, and the progress of each. */
export class ModelShelf {
  readonly #v1: Slashv1;
  readonly #all = signal<readonly CatalogModel[]>([]);
  readonly #progress = signal<ReadonlyMap<string, Progress>>(new Map());
  readonly #selected = signal('');
  readonly #firstSelected = Promise.withResolvers<void>();
  readonly #download = signal<string | null>(null);
  /** The stage that the engine has reported last, by model. */
  readonly #stages = new Map<string, Progress['stage']>();
  #isRefreshing = false;
  /** Every model of the catalog. */
  readonly all: ReadonlySignal<readonly CatalogModel[]> = this.#all;
  /** Models that can answer. */
  readonly models = computed(() => this.#all.value.filter(({ task }) => task === 'chat'));
  /** Id of the model that answers; empty before `open`. */
  readonly selected: ReadonlySignal<string> = this.#selected;
  /** The model whose download was started here: running, paused, or failed and not yet dismissed. */
  readonly download: ReadonlySignal<string | null> = this.#download;
  readonly #unloaded = signal<CatalogModel | null>(null);
  /** The model that waits for the user's word since the page was opened, because data is dear. */
  readonly unloaded: ReadonlySignal<CatalogModel | null> = this.#unloaded;
  readonly #question = signal<DownloadQuestion | null>(null);
  /** The download that the user has just asked for, where data is dear. */
  readonly question: ReadonlySignal<DownloadQuestion | null> = this.#question;
  /** Models that the user has agreed to download wherever this tab is. */
  readonly #confirmed = new Set<string>();
  readonly progress: ReadonlySignal<ReadonlyMap<string, Progress>> = this.#progress;
  #downloadSpeed: number | undefined = networkSpeed();
  /** Models that did not fit into the browser's storage when they were last downloaded. */
  readonly #full = signal<ReadonlySet<string>>(new Set());

  /** The model that was added last: its card is opened and scrolled to. */
  readonly shown = signal('');

  constructor(v1: Slashv1) {
    this.#v1 = v1;
    v1.onProgress((progress) => {
      this.#downloadSpeed = progress.bytesPerSecond ?? this.#downloadSpeed;
      this.#setProgress(progress);
      const isRemoved = progress.stage === 'unloaded' && this.#download.value === progress.model;
      if (isRemoved) this.#download.value = null;
      // The list's facts about a model change with its stage.
      if (this.#stages.get(progress.model) !== progress.stage) this.#refreshSoon();
      this.#stages.set(progress.model, progress.stage);
    });
  }

  /** Memory for all loaded models together, bytes. */
  get memoryBudget(): number {
    return this.#v1.device.memoryBudget;
  }

  /** Bytes a second of the last download, or what the browser says of the network; undefined: unknown. */
  get downloadSpeed(): number | undefined {
    return this.#downloadSpeed;
  }

  find(model: string): CatalogModel | undefined {
    return this.#all.value.find(({ id }) => id === model);
  }

  /** Asks the hub for facts that the list lacks about a model that can be downloaded. */
  async inspect(model: string, ending: AbortSignal): Promise<void> {
    await this.#v1.models.inspect(model, { signal: ending });
    await this.refresh();
  }

  /** Whether the download of a model failed, or would fail, because the browser has no room for it. */
  lacksRoom(model: string): boolean {
    return this.#full.value.has(model) || this.find(model)?.obstacles.includes('storage') === true;
  }

  /** Whether this is the browser's own model. */
  isOfBrowser(model: string): boolean {
    return this.find(model)?.variant.engine === 'builtin';
  }

  /** The model that answers, once there is one. */
  async whenSelected(): Promise<string> {
    await this.#firstSelected.promise;
    return this.#selected.value;
  }

  /** Reads the catalog and loads the model of the last visit, else the first that is ready to use. */
  async open(): Promise<void> {
    await this.refresh();
    const ready = this.models.value.filter(isReadyToUse);
    const last = readSetting('model');
    const model = ready.find(({ id }) => id === last) ?? ready[0];
    if (model?.state === 'embedded' && isMetered()) this.#unloaded.value = model;
    else if (model) await this.select(model.id);
  }

  async refresh(): Promise<void> {
    this.#all.value = await this.#v1.models.list();
  }

  /**
   * Lets this model answer, and loads it. Questions can be sent before it is loaded,
   * because the API waits for it.
   *
   * @param anyway - load it even if loading it has ended the tab before
   */
  async select(model: string, anyway = false): Promise<void> {
    if (this.#asksToLoad(model, () => this.select(model, anyway))) return;
    this.#unloaded.value = null;
    this.#setSelected(model);
    writeSetting('model', model);
    await this.#attempt(model, () => this.#v1.models.load(model, { anyway }));
  }

  /** Lets a model of another server answer. The next visit begins on this device again. */
  selectElsewhere(model: string): void {
    this.#setSelected(model);
  }

  /** Downloads a model, or resumes its download. A model that can answer is then selected. Asks first where data is dear. */
  async install(model: string): Promise<void> {
    if (this.#asks(model, () => this.install(model))) return;
    if (this.#download.value !== model) this.dismissDownload();
    this.#download.value = model;
    // Some browsers grant this only right after a click.
    void this.#v1.models.persist().catch(() => undefined);
    const { loadedBytes = 0, totalBytes = 0 } = this.#progress.value.get(model) ?? {};
    this.#setProgress({ ...emptyProgress(model, 'download'), loadedBytes, totalBytes });
    const installed = await this.#attempt(model, () => this.#v1.models.install(model));
    await this.refresh();
    if (!installed || this.#download.value !== model) return;
    this.#download.value = null;
    if (this.models.value.some(({ id }) => id === model)) await this.select(model);
  }

  /** The user agrees to download this model, and is not asked again. */
  confirm(model: string): void {
    this.#confirmed.add(model);
  }

  /** Forgets the download that waits for the user's word. */
  dismissQuestion(): void {
    this.#question.value = null;
  }

  /** Pauses the download that was started here. The bytes received so far are kept. */
  async pauseDownload(): Promise<void> {
    const { value } = this.#download;
    if (value !== null) await this.#v1.models.pause(value);
  }

  /** Stops showing the download that was started here, and pauses it if it is running. */
  dismissDownload(): void {
    const { value } = this.#download;
    if (value === null) return;
    if (this.#progress.value.get(value)?.stage === 'download') void this.pauseDownload();
    this.#forgetProgress(value);
    this.#download.value = null;
  }

  /** Tries again what failed for this model, or resumes its download. */
  async retry(model: string): Promise<void> {
    await (this.#download.value === model ? this.install(model) : this.select(model, true));
  }

  /** Loads a model beside the one that answers. */
  async load(model: string): Promise<void> {
    if (this.#asksToLoad(model, () => this.load(model))) return;
    await this.#attempt(model, () => this.#v1.models.load(model));
    await this.refresh();
  }

  async unload(model: string): Promise<void> {
    await this.#attempt(model, () => this.#v1.models.unload(model));
    await this.refresh();
  }

  /** Pauses a download, even one that was not started here. The bytes received so far are kept. */
  async pause(model: string): Promise<void> {
    await this.#v1.models.pause(model);
    await this.refresh();
  }

  async remove(model: string): Promise<void> {
    await this.#attempt(model, () => this.#v1.models.remove(model));
    this.#forgetProgress(model);
    await this.refresh();
  }

  #setSelected(model: string): void {
    this.#selected.value = model;
    this.#firstSelected.resolve();
  }

  /** Asks before a model that comes with the page is downloaded. Returns whether it asks. */
  #asksToLoad(model: string, work: () => Promise<void>): boolean {
    return this.find(model)?.state === 'embedded' && this.#asks(model, work);
  }

  #asks(model: string, work: () => Promise<void>): boolean {
    if (this.#confirmed.has(model) || !isMetered()) return false;
    this.#question.value = { model, carryOut: () => void work() };
    return true;
  }

  async #attempt(model: string, action: () => Promise<void>): Promise<boolean> {
    this.#full.value = new Set([...this.#full.value].filter((id) => id !== model));
    try {
      await action();
      return true;
    } catch (error) {
      const code = error instanceof ApiError ? error.data.code : '';
      if (code === 'storage_full') this.#full.value = new Set([...this.#full.value, model]);
      if (code !== 'download_paused') {
        this.#setProgress({ ...emptyProgress(model, 'failed'), text: messageOf(error) });
      }
      return false;
    }
  }

  /** Reads the list soon, and only once for all models that change until then. */
  #refreshSoon(): void {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    setTimeout(() => {
      this.#isRefreshing = false;
      void this.refresh().catch(() => undefined);
    });
  }

  #setProgress(progress: Progress): void {
    this.#progress.value = new Map(this.#progress.value).set(progress.model, progress);
  }

  #forgetProgress(model: string): void {
    const rest = new Map(this.#progress.value);
    rest.delete(model);
    this.#progress.value = rest;
  }
}

function emptyProgress(model: string, stage: Progress['stage']): Progress {
  return { model, stage, loadedBytes: 0, totalBytes: 0, text: '' };
}
