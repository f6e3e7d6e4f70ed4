import type { Progress } from '../../index.ts';
import { textButton } from '../ui/buttons.ts';
import { el } from '../ui/dom.ts';
import { shortName } from './model-text.ts';
import { describeProgress } from './progress-text.ts';

export interface StatusActions {
  onPause: () => void;
  /** Asks to hide a paused or failed download. */
  onDismiss: () => void;
  onRetry: (model: string) => void;
}

/** Stages that are not shown. */
const QUIET: ReadonlySet<Progress['stage']> = new Set(['ready', 'installed', 'unloaded']);

/** A model's progress, above the text field. Hidden while there is nothing to report. */
export class StatusBar {
  readonly #title = el('span', { class: 'status-title', role: 'status' });
  readonly #percent = el('span', { class: 'status-percent' });
  readonly #detail = el('span', { class: 'status-detail' });
  readonly #bar = el('progress', { max: '1', 'aria-label': 'Model progress' });
  readonly #pause: HTMLButtonElement;
  readonly #dismiss: HTMLButtonElement;
  readonly #retry: HTMLButtonElement;
  readonly element: HTMLElement;
  #shown: Progress | null = null;

  constructor({ onPause, onDismiss, onRetry }: StatusActions) {
    this.#pause = textButton('Pause', onPause);
    this.#dismiss = textButton('Dismiss', onDismiss);
    this.#retry = textButton('Retry', () => this.#shown && onRetry(this.#shown.model));
    const lines = el('div', { class: 'status-lines' }, this.#title, this.#percent, this.#detail);
    this.element = el(
      'section',
      { class: 'status', 'aria-label': 'Model status', hidden: true },
      lines,
      this.#pause,
      this.#dismiss,
      this.#retry,
      this.#bar,
    );
  }

  /** `isDownload`: it is a download that was started here and can be paused or dismissed here. */
  show(progress: Progress | undefined, isDownload: boolean): void {
    this.element.hidden = !progress || QUIET.has(progress.stage);
    if (!progress || this.element.hidden) return;
    this.#shown = progress;
    this.#draw(progress);
    const hasStopped = progress.stage === 'failed' || progress.stage === 'paused';
    this.#pause.hidden = !isDownload || progress.stage !== 'download';
    this.#dismiss.hidden = !isDownload || !hasStopped;
    this.#retry.hidden = !hasStopped;
    this.#retry.textContent = progress.stage === 'paused' ? 'Resume' : 'Retry';
  }

  #draw(progress: Progress): void {
    const text = describeProgress(progress);
    this.element.classList.toggle('failed', progress.stage === 'failed');
    this.#setTitle(shortName(progress.model), text.title);
    this.#percent.textContent = text.percent;
    this.#detail.textContent = text.detail;
    if (text.fraction === null) this.#bar.removeAttribute('value');
    else this.#bar.value = text.fraction;
  }

  /** Leaves an unchanged title alone, because screen readers announce every change. */
  #setTitle(model: string, title: string): void {
    if (this.#title.textContent === `${model} ${title}`) return;
    this.#title.replaceChildren(el('b', {}, model), ` ${title}`);
  }
}
