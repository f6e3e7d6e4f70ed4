import type { CatalogModel, Progress, Slashv1, SpeechRequest } from '../../index.ts';
import { errorMessage } from '../error-message.ts';
import { modelConfirmation } from '../models/model-confirmation.ts';
import { describeModel, shortName } from '../models/model-text.ts';
import { describeProgress } from '../models/progress-text.ts';
import { isReadyToUse } from '../models/ready-to-use.ts';
import { textButton } from '../ui/buttons.ts';
import { Dialog } from '../ui/dialog.ts';
import { el } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { Player, type PlayerState } from './player.ts';
import { voiceGroups } from './voice-options.ts';

/** The API's limit for a text. */
const MAX_CHARACTERS = '4096';
const SAMPLE = 'This voice is made in your browser. Nothing that you type leaves this device.';
const FORMATS = [
  ['wav', 'WAV'],
  ['mp3', 'MP3'],
] as const;
/** Stages that delay the speech and are shown. */
const SHOWN_STAGES: ReadonlySet<Progress['stage']> = new Set(['download', 'load', 'failed']);

/** Speaks a text in the chosen voice, speed and format. The speech is played or saved as a file. */
export class SpeechDialog {
  readonly #v1: Slashv1;
  readonly #dialog = new Dialog('Speak', 'speech-dialog');
  readonly #player: Player;
  readonly #text = el('textarea', { rows: '5', maxlength: MAX_CHARACTERS, 'aria-label': 'Text' });
  readonly #model = el('select', { 'aria-label': 'Model', onchange: () => this.#showModel() });
  readonly #voice = el('select', { 'aria-label': 'Voice' });
  readonly #format = el('select', { 'aria-label': 'Format' });
  readonly #speed = el('input', {
    ...{ type: 'range', min: '0.25', max: '4', step: '0.25', value: '1', 'aria-label': 'Speed' },
    oninput: () => this.#showSpeed(),
  });
  readonly #speedText = el('output', { class: 'speech-speed' });
  readonly #status = el('p', { class: 'note', role: 'status' });
  readonly #speak = textButton('Speak', () => void this.#player.play(this.#request()), {
    class: 'button primary',
  });
  readonly #stop = textButton('Stop', () => this.#player.stop());
  readonly #save = textButton('Save file', () => void this.#saveFile());
  readonly #download = textButton('Download', () => void this.#offerDownload(), {
    class: 'button primary',
  });
  readonly #pause = textButton('Pause', () => void this.#v1.models.pause(this.#model.value));
  /** Opens the dialog; hidden if the catalog has no model that speaks. */
  readonly button: HTMLButtonElement;
  #models: CatalogModel[] = [];
  #state: PlayerState = 'idle';
  /** Ids of the models whose download was started here and is running. */
  readonly #downloading = new Set<string>();
  #saving = new AbortController();

  constructor(v1: Slashv1) {
    this.#v1 = v1;
    this.#player = new Player(v1, {
      onState: (state) => this.#showState(state),
      onFailure: (message) => (this.#status.textContent = message),
    });
    const attributes = { type: 'button', class: 'top-button', title: 'Speak', hidden: true };
    const onclick = () => this.#open();
    this.button = el('button', { ...attributes, onclick }, icon('sound'), el('span', {}, 'Speak'));
    this.#fill();
    v1.onProgress((progress) => this.#showProgress(progress));
  }

  get element(): HTMLDialogElement {
    return this.#dialog.element;
  }

  /** Reads from the catalog which models speak. */
  async refresh(): Promise<void> {
    const chosen = this.#model.value;
    this.#models = (await this.#v1.models.list()).filter(({ task }) => task === 'speech');
    this.button.hidden = this.#models.length === 0;
    const groups: [string, CatalogModel[]][] = [
      ['Ready to use', this.#models.filter(isReadyToUse)],
      ['From the model hub', this.#models.filter((model) => !isReadyToUse(model))],
    ];
    this.#model.replaceChildren(
      ...groups
        .filter(([, models]) => models.length > 0)
        .map(([label, models]) =>
          optionGroup(
            label,
            models.map(({ id }) => ({ id, name: shortName(id) })),
          ),
        ),
    );
    if (this.#models.some(({ id }) => id === chosen)) this.#model.value = chosen;
    this.#showModel();
  }

  #fill(): void {
    this.#text.value = SAMPLE;
    this.#format.append(...FORMATS.map(([value, name]) => el('option', { value }, name)));
    this.#showSpeed();
    this.#dialog.element.addEventListener('close', () => this.#end());
  }

  /** The dialog may have been closed while it showed the download question, so it is filled again. */
  #open(): void {
    this.#showPanel();
    this.#dialog.show();
  }

  #showPanel(): void {
    const field = (name: string, ...controls: HTMLElement[]) =>
      el('label', { class: 'speech-field' }, el('span', {}, name), ...controls);
    const buttons = [this.#save, this.#stop, this.#speak, this.#pause, this.#download];
    this.#showButtons();
    this.#dialog.replaceContent(
      this.#text,
      el(
        'div',
        { class: 'speech-fields' },
        field('Model', this.#model),
        field('Voice', this.#voice),
        field('Format', this.#format),
        field('Speed', this.#speed, this.#speedText),
      ),
      this.#player.element,
      this.#status,
      el('div', { class: 'button-row' }, ...buttons),
    );
  }

  get #chosen(): CatalogModel | undefined {
    return this.#models.find(({ id }) => id === this.#model.value);
  }

  #request(): SpeechRequest {
    return {
      model: this.#model.value,
      input: this.#text.value,
      voice: this.#voice.value,
      response_format: this.#format.value === 'mp3' ? 'mp3' : 'wav',
      speed: Number(this.#speed.value),
    };
  }

  #showModel(): void {
    const model = this.#chosen;
    const groups = model?.speech ? voiceGroups(model.speech) : [];
    this.#voice.replaceChildren(
      ...groups.map(({ language, voices }) => optionGroup(language, voices)),
    );
    this.#status.textContent = model && !isReadyToUse(model) ? describeModel(model) : '';
    this.#showButtons();
  }

  #showSpeed(): void {
    this.#speedText.textContent = `${this.#speed.value}×`;
  }

  #showState(state: PlayerState): void {
    this.#state = state;
    this.#status.textContent = state === 'waiting' ? 'Waiting for the first sentence…' : '';
    this.#showButtons();
  }

  #showButtons(): void {
    const needsDownload = this.#chosen !== undefined && !isReadyToUse(this.#chosen);
    const isDownloading = this.#downloading.has(this.#model.value);
    this.#speak.hidden = needsDownload || this.#state !== 'idle';
    this.#stop.hidden = this.#state === 'idle';
    this.#save.hidden = needsDownload;
    this.#download.hidden = !needsDownload || isDownloading;
    this.#pause.hidden = !isDownloading;
  }

  async #offerDownload(): Promise<void> {
    const model = this.#chosen;
    if (!model) return;
    // A download that the user has already confirmed continues without asking again.
    if (model.state !== 'available') return this.#install(model.id);
    const view = await modelConfirmation(model, 'install', {
      onCancel: () => this.#showPanel(),
      onConfirm: () => {
        this.#showPanel();
        void this.#install(model.id);
      },
    });
    this.#dialog.replaceContent(view.element);
    view.focus();
  }

  async #install(model: string): Promise<void> {
    this.#downloading.add(model);
    this.#showButtons();
    // Some browsers grant this only right after a click.
    void this.#v1.models.persist().catch(() => undefined);
    let failure = '';
    try {
      await this.#v1.models.install(model);
    } catch (error) {
      failure = errorMessage(error);
    }
    this.#downloading.delete(model);
    await this.refresh();
    if (failure !== '' && this.#model.value === model) this.#status.textContent = failure;
  }

  #showProgress(progress: Progress): void {
    if (progress.model !== this.#model.value || !SHOWN_STAGES.has(progress.stage)) return;
    const { title, percent, detail } = describeProgress(progress);
    this.#status.textContent = [title, percent, detail].filter((text) => text !== '').join(' · ');
  }

  async #saveFile(): Promise<void> {
    const request = this.#request();
    this.#save.disabled = true;
    this.#status.textContent = 'Making the whole file…';
    this.#saving = new AbortController();
    try {
      const file = await this.#player.file(request, this.#saving.signal);
      offerFile(file, `speech.${request.response_format ?? 'wav'}`);
      this.#status.textContent = 'Saved.';
    } catch (error) {
      const { aborted } = this.#saving.signal;
      this.#status.textContent = aborted || !(error instanceof Error) ? '' : error.message;
    } finally {
      this.#save.disabled = false;
    }
  }

  #end(): void {
    this.#saving.abort();
    this.#player.stop();
  }
}

function optionGroup(label: string, options: { id: string; name: string }[]): HTMLElement {
  const entries = options.map(({ id, name }) => el('option', { value: id }, name));
  return el('optgroup', { label }, ...entries);
}

function offerFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  el('a', { href: url, download: name }).click();
  // By then the browser has started to save the file and no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
