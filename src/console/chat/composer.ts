import { iconButton } from '../ui/buttons.ts';
import { el, hasTouchKeyboard } from '../ui/dom.ts';

export interface ComposerActions {
  onSend: (text: string) => void;
  onStop: () => void;
}

/** The text field with its buttons. Enter sends, Shift+Enter starts a new line. */
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

  /** `controls` are placed beside the send button. */
  constructor(actions: ComposerActions, ...controls: HTMLElement[]) {
    this.#actions = actions;
    this.#stop = iconButton('stop', 'Stop (Esc)', actions.onStop, {
      class: 'icon-button send stop',
    });
    const row = el('div', { class: 'composer-row' }, ...controls, this.#send, this.#stop);
    this.element = el('form', { class: 'composer' }, this.#input, row);
    this.#update();
  }

  /** Whether there is a model to send to. */
  set available(available: boolean) {
    this.#available = available;
    this.#update();
  }

  set answering(answering: boolean) {
    const hadFocus = this.element.contains(document.activeElement);
    this.#answering = answering;
    this.#update();
    // The pressed button is hidden now; without this the page would lose the focus.
    if (hadFocus) this.focus();
  }

  /** Does nothing on touch screens, where the keyboard would cover the answer. */
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
    // Enter also confirms a character of an input method. On a touch keyboard it is the only new line.
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
