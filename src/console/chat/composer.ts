import { iconButton } from '../ui/buttons.ts';
import { el, hasTouchKeyboard } from '../ui/dom.ts';

export interface ComposerActions {
  onSend: (text: string) => void;
  onStop: () => void;
}

/** Where questions are written: Enter sends, Shift+Enter begins a new line. */
export class Composer {
  readonly #actions: ComposerActions;
  readonly #input = el('textarea', {
    rows: '1',
    placeholder: 'Ask something',
    'aria-label': 'Your message',
    enterkeyhint: hasTouchKeyboard() ? 'enter' : 'send',
    autocomplete: 'off',
    oninput: () => this.#update(),
    onkeydown: (event) => this.#onKey(event),
  });
  readonly #send = iconButton('arrowUp', 'Send (Enter)', () => this.#submit(), {
    class: 'icon-button send',
  });
  readonly #stop: HTMLButtonElement;
  readonly element: HTMLFormElement;
  #available = false;
  #answering = false;

  /** `tools` stand beside the send button. */
  constructor(actions: ComposerActions, ...tools: HTMLElement[]) {
    this.#actions = actions;
    this.#stop = iconButton('stop', 'Stop (Esc)', actions.onStop, {
      class: 'icon-button send stop',
    });
    const row = el('div', { class: 'composer-row' }, ...tools, this.#send, this.#stop);
    this.element = el('form', { class: 'composer' }, this.#input, row);
    this.#update();
  }

  /** Whether there is anything to send to. */
  set available(available: boolean) {
    this.#available = available;
    this.#update();
  }

  set answering(answering: boolean) {
    const hadFocus = this.element.contains(document.activeElement);
    this.#answering = answering;
    this.#update();
    // The pressed button is about to vanish: the focus must not fall back to the page.
    if (hadFocus) this.focus();
  }

  /** Not on touch screens, where the keyboard would cover the answer. */
  focus(): void {
    if (!hasTouchKeyboard()) this.#input.focus({ preventScroll: true });
  }

  #submit(): void {
    const text = this.#input.value.trim();
    if (text === '' || !this.#available || this.#answering) return;
    this.#input.value = '';
    this.#update();
    this.#actions.onSend(text);
  }

  #onKey(event: Event): void {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Enter') return;
    // Enter also ends the composition of a character; on a touch keyboard it is the only new line.
    if (event.shiftKey || event.isComposing || hasTouchKeyboard()) return;
    event.preventDefault();
    this.#submit();
  }

  #update(): void {
    this.#send.disabled = this.#input.value.trim() === '' || !this.#available;
    this.#send.hidden = this.#answering;
    this.#stop.hidden = !this.#answering;
    this.#input.style.height = 'auto';
    this.#input.style.height = `${this.#input.scrollHeight}px`;
  }
}
