import type { Slashv1 } from '../../index.ts';
import { copyButton } from '../ui/buttons.ts';
import { Dialog } from '../ui/dialog.ts';
import { el } from '../ui/dom.ts';
import { snippets, type Snippet } from './snippets.ts';
import { tabs } from '../ui/tabs.ts';

/** Shows how to use this page's API from code: base URL, key and snippets to copy. */
export class CodeDialog {
  readonly #dialog = new Dialog('Use it from code', 'code-dialog');
  readonly #v1: Slashv1;
  readonly #model: () => string;

  constructor(v1: Slashv1, model: () => string) {
    this.#v1 = v1;
    this.#model = model;
  }

  get element(): HTMLDialogElement {
    return this.#dialog.element;
  }

  show(): void {
    const { baseURL, apiKey } = this.#v1;
    const examples = snippets({ baseURL, apiKey, model: this.#model() });
    this.#dialog.replaceContent(
      el('p', {}, 'Any OpenAI client works with this base URL and this key.'),
      copyField('Base URL', baseURL),
      copyField('API key', apiKey),
      el('p', { class: 'note' }, 'The key works while this tab is open.'),
      tabs(
        'Examples',
        examples.map((snippet) => ({ title: snippet.title, panel: snippetPanel(snippet) })),
      ),
    );
    this.#dialog.show();
  }
}

/** A value with its name and a button that copies it. */
export function copyField(name: string, value: string): HTMLElement {
  const output = el('code', { class: 'copy-value', tabindex: '0' }, value);
  const copy = copyButton(`Copy ${name}`, () => value);
  return el('div', { class: 'copy-field' }, el('span', { class: 'copy-name' }, name), output, copy);
}

function snippetPanel({ note, code }: Snippet): HTMLElement {
  return el(
    'div',
    {},
    el('p', { class: 'note' }, note),
    el(
      'div',
      { class: 'code' },
      el('pre', { tabindex: '0' }, el('code', {}, code)),
      copyButton('Copy code', () => code),
    ),
  );
}
