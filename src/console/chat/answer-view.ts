import type { Failure } from './api-failure.ts';
import { copyButton, iconButton, textButton } from '../ui/buttons.ts';
import { el } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { MarkdownView } from './markdown.ts';

/** One answer on the page, from the wait for it to its end. */
export class AnswerView {
  readonly #text = new MarkdownView();
  readonly #reasoning = el('div', { class: 'reasoning-text' });
  readonly #thoughts = el(
    'details',
    { class: 'reasoning', hidden: true },
    el('summary', {}, 'Thinking'),
    this.#reasoning,
  );
  readonly #footer = el('footer', { class: 'answer-footer' });
  readonly element = el(
    'article',
    { class: 'answer', 'aria-label': 'Answer', 'aria-busy': 'true' },
    this.#thoughts,
    this.#text.element,
    this.#footer,
  );

  get text(): string {
    return this.#text.text;
  }

  appendText(piece: string): void {
    this.#text.append(piece);
  }

  appendReasoning(piece: string): void {
    this.#thoughts.hidden = false;
    this.#reasoning.append(piece);
  }

  /** Marks the answer as complete. `notes` are short remarks below it, e.g. `112 tokens` or `Stopped`. */
  finish(notes: string[], onRetry: () => void): void {
    this.element.setAttribute('aria-busy', 'false');
    this.#footer.replaceChildren(
      el('p', { class: 'stats' }, ...notes.map((note) => el('span', {}, note))),
      copyButton('Copy answer', () => this.text),
      iconButton('retry', 'Answer again', onRetry, { class: 'icon-button retry' }),
    );
  }

  /** Marks the answer as failed. The text received so far stays. */
  fail(failure: Failure, onRetry: () => void): void {
    this.element.setAttribute('aria-busy', 'false');
    this.#footer.replaceWith(failureCard(failure, onRetry));
  }
}

function failureCard({ message, code, hint }: Failure, onRetry: () => void): HTMLElement {
  return el(
    'div',
    { class: 'failure', role: 'alert' },
    icon('warning'),
    el(
      'div',
      {},
      el('p', { class: 'failure-message' }, message),
      hint === '' ? null : el('p', { class: 'failure-hint' }, hint),
      code === '' ? null : el('code', {}, code),
    ),
    textButton('Retry', onRetry, { class: 'button retry' }),
  );
}

export function questionView(text: string): HTMLElement {
  return el('article', { class: 'question', 'aria-label': 'You' }, el('p', {}, text));
}
