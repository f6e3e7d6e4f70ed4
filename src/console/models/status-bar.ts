import type { Progress } from '../../index.ts';
import { textButton } from '../ui/buttons.ts';
import { ByteRate } from './byte-rate.ts';
import { el } from '../ui/dom.ts';
import { shortName } from './model-text.ts';
import { describeProgress } from './progress-text.ts';

export interface StatusActions {
  /** Ends a download, or takes a failed one as read. */
  onCancel: () => void;
  onRetry: (model: string) => void;
}

/** How far a model is, above the text field; hidden while there is nothing to tell. */
export class StatusBar {
  readonly #title = el('span', { class: 'status-title', role: 'status' });
  readonly #percent = el('span', { class: 'status-percent' });
  readonly #detail = el('span', { class: 'status-detail' });
  readonly #bar = el('progress', { max: '1', 'aria-label': 'Model progress' });
  readonly #cancel: HTMLButtonElement;
  readonly #retry: HTMLButtonElement;
  readonly element: HTMLElement;
  #rate = new ByteRate();
  #shown: Progress | null = null;

  constructor({ onCancel, onRetry }: StatusActions) {
    this.#cancel = textButton('Cancel', onCancel);
    this.#retry = textButton('Retry', () => this.#shown && onRetry(this.#shown.model));
    const lines = el('div', { class: 'status-lines' }, this.#title, this.#percent, this.#detail);
    this.element = el(
      'section',
      { class: 'status', 'aria-label': 'Model status', hidden: true },
      lines,
      this.#cancel,
      this.#retry,
      this.#bar,
    );
  }

  /** `isDownload`: somebody asked for this download here, and may end it. */
  show(progress: Progress | undefined, isDownload: boolean): void {
    const isNews = progress && progress.stage !== 'ready' && progress.stage !== 'unloaded';
    this.element.hidden = !isNews;
    if (!isNews) return;
    this.#measure(progress);
    this.#draw(progress);
    this.#cancel.hidden = !isDownload;
    this.#cancel.textContent = progress.stage === 'failed' ? 'Dismiss' : 'Cancel';
    this.#retry.hidden = progress.stage !== 'failed';
  }

  #measure(progress: Progress): void {
    const same = this.#shown?.model === progress.model && this.#shown.stage === progress.stage;
    if (!same) this.#rate = new ByteRate();
    this.#rate.add(progress.loadedBytes, performance.now());
    this.#shown = progress;
  }

  #draw(progress: Progress): void {
    const text = describeProgress(progress, this.#rate.bytesPerSecond);
    this.element.classList.toggle('failed', progress.stage === 'failed');
    this.#setTitle(shortName(progress.model), text.title);
    this.#percent.textContent = text.percent;
    this.#detail.textContent = text.detail;
    if (text.fraction === null) this.#bar.removeAttribute('value');
    else this.#bar.value = text.fraction;
  }

  /** Only when it changes, because every change is read out. */
  #setTitle(model: string, title: string): void {
    if (this.#title.textContent === `${model} ${title}`) return;
    this.#title.replaceChildren(el('b', {}, model), ` ${title}`);
  }
}
