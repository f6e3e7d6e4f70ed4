import { el } from '../ui/dom.ts';
import { takeSentences, withoutMarks } from './sentences.ts';

/**
 * Reads an answer to screen readers, one whole sentence after the other. The visible answer is not a
 * live region, because each token would interrupt the one before.
 */
export class Announcer {
  readonly element = el('div', { class: 'visually-hidden', role: 'log', 'aria-label': 'Answer' });
  #pending = '';

  begin(): void {
    this.#pending = '';
    this.element.replaceChildren();
  }

  append(piece: string): void {
    const { sentences, rest } = takeSentences(this.#pending + piece);
    this.#pending = rest;
    if (sentences !== '') this.say(withoutMarks(sentences));
  }

  end(): void {
    if (this.#pending.trim() !== '') this.say(withoutMarks(this.#pending.trim()));
    this.#pending = '';
  }

  say(text: string): void {
    this.element.append(el('p', {}, text));
  }
}
