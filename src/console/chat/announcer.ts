import { el } from '../ui/dom.ts';
import { takeSentences, withoutMarks } from './sentences.ts';

/**
 * What a screen reader hears of an answer: whole sentences as they are complete.
 * The visible answer is no live region itself, since every token would interrupt the last.
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
