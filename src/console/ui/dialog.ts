import { iconButton } from './buttons.ts';
import { el, type Child } from './dom.ts';

/** A modal dialog with a title. Esc, its close button and a click outside it close it. */
export class Dialog {
  readonly #body: HTMLElement;
  readonly element: HTMLDialogElement;

  constructor(title: string, name: string, ...children: Child[]) {
    const id = `dialog-${name}`;
    const close = iconButton('close', 'Close', () => this.close());
    const head = el('header', { class: 'dialog-head' }, el('h2', { id }, title), close);
    this.#body = el('div', { class: 'dialog-body' }, ...children);
    const attributes = { class: `dialog ${name}`, 'aria-labelledby': id };
    this.element = el('dialog', { ...attributes, onclick: (event) => this.#onPress(event) }, head);
    this.element.append(this.#body);
  }

  show(): void {
    this.element.showModal();
  }

  close(): void {
    this.element.close();
  }

  replaceContent(...children: Child[]): void {
    this.#body.replaceChildren(...children.filter((child) => child != null));
  }

  /** A click on the backdrop has the dialog itself as its target. */
  #onPress(event: Event): void {
    if (event.target === this.element) this.close();
  }
}
