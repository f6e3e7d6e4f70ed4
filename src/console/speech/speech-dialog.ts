import type { CatalogModel, Progress, Slashv1, SpeechRequest } from '../../index.ts';
import { shortName } from '../models/model-text.ts';
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
  readonly #model = el('select', { 'aria-label': 'Model', onchange: () => this.#showVoices() });
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
  /** Opens it; hidden as long as no model speaks. */
  readonly button: HTMLButtonElement;
  #models: CatalogModel[] = [];
  #saving = new AbortController();

  constructor(v1: Slashv1) {
    this.#v1 = v1;
    this.#player = new Player(v1, {
      onState: (state) => this.#showState(state),
      onFailure: (message) => (this.#status.textContent = message),
    });
    const attributes = { type: 'button', class: 'top-button', title: 'Speak', hidden: true };
    const onclick = () => this.#dialog.show();
    this.button = el('button', { ...attributes, onclick }, icon('sound'), el('span', {}, 'Speak'));
    this.#fill();
    v1.onProgress((progress) => this.#showProgress(progress));
  }

  get element(): HTMLDialogElement {
    return this.#dialog.element;
  }

  /** Looks which models speak. */
  async refresh(): Promise<void> {
    const models = await this.#v1.models.list();
    this.#models = models.filter(({ speech, state }) => speech && isHere(state));
    this.button.hidden = this.#models.length === 0;
    this.#model.replaceChildren(
      ...this.#models.map(({ id }) => el('option', { value: id }, shortName(id))),
    );
    this.#showVoices();
  }

  #fill(): void {
    this.#text.value = SAMPLE;
    this.#format.append(...FORMATS.map(([value, name]) => el('option', { value }, name)));
    this.#showSpeed();
    this.#showState('idle');
    const field = (name: string, ...controls: HTMLElement[]) =>
      el('label', { class: 'speech-field' }, el('span', {}, name), ...controls);
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
      el('div', { class: 'button-row' }, this.#save, this.#stop, this.#speak),
    );
    this.#dialog.element.addEventListener('close', () => this.#end());
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

  #showVoices(): void {
    const speech = this.#models.find(({ id }) => id === this.#model.value)?.speech;
    const groups = speech ? voiceGroups(speech) : [];
    this.#voice.replaceChildren(
      ...groups.map(({ language, voices }) => {
        const options = voices.map(({ id, name }) => el('option', { value: id }, name));
        return el('optgroup', { label: language }, ...options);
      }),
    );
  }

  #showSpeed(): void {
    this.#speedText.textContent = `${this.#speed.value}×`;
  }

  #showState(state: PlayerState): void {
    this.#speak.hidden = state !== 'idle';
    this.#stop.hidden = state === 'idle';
    this.#status.textContent = state === 'waiting' ? 'Waiting for the first sentence…' : '';
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

function isHere(state: CatalogModel['state']): boolean {
  return state === 'embedded' || state === 'installed' || state === 'loaded';
}

function offerFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  el('a', { href: url, download: name }).click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
