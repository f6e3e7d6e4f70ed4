import type { CatalogModel, Progress, Slashv1, SpeechRequest } from '../../index.ts';
import { isAtHand } from '../models/at-hand.ts';
import { modelConfirmation } from '../models/model-confirmation.ts';
import { describeModel, shortName } from '../models/model-text.ts';
import { describeProgress } from '../models/progress-text.ts';
import { textButton } from '../ui/buttons.ts';
import { Dialog } from '../ui/dialog.ts';
import { el } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { Player, type PlayerState } from './player.ts';
import { voiceGroups } from './voice-options.ts';

/** The API's own limit. */
const MAX_CHARACTERS = '4096';
const SAMPLE = 'This voice is made in your browser. Nothing that you type leaves this device.';
const FORMATS = [
  ['wav', 'WAV'],
  ['mp3', 'MP3'],
] as const;
/** Stages in which the voice keeps one waiting. */
const TOLD: ReadonlySet<Progress['stage']> = new Set(['download', 'load', 'failed']);

/** Has a text spoken: chosen voice, speed and format, played at once or saved. */
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
  /** Opens it; hidden as long as no model speaks. */
  readonly button: HTMLButtonElement;
  #models: CatalogModel[] = [];
  #state: PlayerState = 'idle';
  /** Models whose download was asked for here, while it runs. */
  readonly #coming = new Set<string>();
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

  /** Looks which models speak, and which of them have to be downloaded first. */
  async refresh(): Promise<void> {
    const chosen = this.#model.value;
    this.#models = (await this.#v1.models.list()).filter(({ task }) => task === 'speech');
    this.button.hidden = this.#models.length === 0;
    const groups: [string, CatalogModel[]][] = [
      ['Speak at once', this.#models.filter(isAtHand)],
      ['From the model hub', this.#models.filter((model) => !isAtHand(model))],
    ];
    this.#model.replaceChildren(
      ...groups
        .filter(([, models]) => models.length > 0)
        .map(([label, models]) => {
          const options = models.map(({ id }) => el('option', { value: id }, shortName(id)));
          return el('optgroup', { label }, ...options);
        }),
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

  /** Not with the question that it may have been closed over. */
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
      ...groups.map(({ language, voices }) => {
        const options = voices.map(({ id, name }) => el('option', { value: id }, name));
        return el('optgroup', { label: language }, ...options);
      }),
    );
    this.#status.textContent = model && !isAtHand(model) ? describeModel(model) : '';
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
    const isToCome = this.#chosen !== undefined && !isAtHand(this.#chosen);
    const isComing = this.#coming.has(this.#model.value);
    this.#speak.hidden = isToCome || this.#state !== 'idle';
    this.#stop.hidden = this.#state === 'idle';
    this.#save.hidden = isToCome;
    this.#download.hidden = !isToCome || isComing;
    this.#pause.hidden = !isComing;
  }

  async #offerDownload(): Promise<void> {
    const model = this.#chosen;
    if (!model) return;
    // What was asked for once goes on without a question.
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
    this.#coming.add(model);
    this.#showButtons();
    // Somebody has just clicked, which some browsers want for this.
    void this.#v1.models.persist().catch(() => undefined);
    let outcome = '';
    try {
      await this.#v1.models.install(model);
    } catch (error) {
      outcome = error instanceof Error ? error.message : String(error);
    }
    this.#coming.delete(model);
    await this.refresh();
    if (outcome !== '' && this.#model.value === model) this.#status.textContent = outcome;
  }

  #showProgress(progress: Progress): void {
    if (progress.model !== this.#model.value || !TOLD.has(progress.stage)) return;
    const { title, percent, detail } = describeProgress(progress);
    this.#status.textContent = [title, percent, detail].filter((text) => text !== '').join(' · ');
  }

  async #saveFile(): Promise<void> {
    const request = this.#request();
    this.#save.disabled = true;
    this.#status.textContent = 'Speaking to the end…';
    this.#saving = new AbortController();
    try {
      const file = await this.#player.file(request, this.#saving.signal);
      offerFile(file, `speech.${request.response_format ?? 'wav'}`);
      this.#status.textContent = 'Saved.';
    } catch (error) {
      const isOver = this.#saving.signal.aborted;
      this.#status.textContent = isOver || !(error instanceof Error) ? '' : error.message;
    } finally {
      this.#save.disabled = false;
    }
  }

  #end(): void {
    this.#saving.abort();
    this.#player.stop();
  }
}

function offerFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  el('a', { href: url, download: name }).click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
