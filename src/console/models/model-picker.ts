import type { CatalogModel, Progress } from '../../index.ts';
import { iconButton } from '../ui/buttons.ts';
import { Dialog } from '../ui/dialog.ts';
import { el } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { modelConfirmation } from './model-confirmation.ts';
import type { ModelShelf } from './model-shelf.ts';
import { describeModel, searchModels, shortName } from './model-text.ts';

/** The list has a search field from this many models on. */
const SEARCH_FROM = 9;

const GROUPS: { states: CatalogModel['state'][]; title: string }[] = [
  { states: ['installed', 'loaded'], title: 'In this browser' },
  { states: ['embedded'], title: 'Comes with this page' },
  { states: ['downloading', 'paused'], title: 'Downloads' },
  { states: ['available'], title: 'From the model hub' },
];

/** What the dot's colour means, in words. */
const STAGE_NAMES: Record<Progress['stage'], string> = {
  download: 'downloading',
  paused: 'paused',
  installed: 'not loaded',
  load: 'loading',
  ready: 'ready',
  unloaded: 'not loaded',
  failed: 'failed',
};

/** Chooses the model that answers. Asks before a model is downloaded or deleted. */
export class ModelPicker {
  readonly #shelf: ModelShelf;
  readonly #dialog = new Dialog('Models', 'models');
  readonly #name = el('span', { class: 'model-name' }, 'Starting');
  readonly #list = el('div', { class: 'model-groups' });
  readonly #search = el('input', {
    type: 'search',
    class: 'model-search',
    placeholder: 'Search models',
    'aria-label': 'Search models',
    oninput: () => this.#drawList(),
  });
  /** Opens the list. Shows the name of the chosen model and a dot for its state. */
  readonly button: HTMLButtonElement;

  constructor(shelf: ModelShelf) {
    this.#shelf = shelf;
    const attributes = { type: 'button', class: 'model-button', 'aria-haspopup': 'dialog' };
    this.button = el(
      'button',
      { ...attributes, title: 'Choose a model', onclick: () => this.#open() },
      el('span', { class: 'dot' }),
      this.#name,
      icon('chevron'),
    );
  }

  get dialog(): HTMLDialogElement {
    return this.#dialog.element;
  }

  update(): void {
    const id = this.#shelf.selected;
    this.#name.textContent = id === '' ? 'No model' : shortName(id);
    const stage = this.#shelf.progressOf(id)?.stage ?? 'unloaded';
    this.button.dataset['stage'] = stage;
    this.button.setAttribute(
      'aria-label',
      `Model: ${this.#name.textContent}, ${STAGE_NAMES[stage]}`,
    );
  }

  #open(): void {
    this.#search.value = '';
    this.#showList();
    this.#dialog.show();
    void this.#shelf.refresh().then(() => this.#drawList());
  }

  #showList(): void {
    this.#drawList();
    const offline = navigator.onLine
      ? null
      : el('p', { class: 'note' }, 'You are offline. Models that are in this browser still work.');
    const search = this.#shelf.models.length < SEARCH_FROM ? null : this.#search;
    this.#dialog.replaceContent(search, offline, this.#list);
  }

  #drawList(): void {
    const found = searchModels(this.#shelf.models, this.#search.value);
    const groups = GROUPS.map(({ states, title }) => ({
      title,
      models: found.filter((model) => states.includes(model.state)),
    })).filter(({ models }) => models.length > 0);
    this.#list.replaceChildren(
      ...groups.map(({ title, models }) => this.#group(title, models)),
      ...(groups.length > 0 ? [] : [el('p', { class: 'note' }, 'No model has that name.')]),
    );
  }

  #group(title: string, models: CatalogModel[]): HTMLElement {
    const rows = models.map((model) => this.#row(model));
    return el('section', {}, el('h3', {}, title), el('ul', {}, ...rows));
  }

  #row(model: CatalogModel): HTMLElement {
    const chosen = model.id === this.#shelf.selected;
    const mark = chosen ? 'check' : needsDownload(model) ? 'download' : null;
    const attributes = { type: 'button', class: 'model-row', 'aria-current': String(chosen) };
    const choose = el(
      'button',
      { ...attributes, onclick: () => this.#choose(model) },
      el(
        'span',
        { class: 'model-id' },
        el('span', { class: 'model-title' }, shortName(model.id)),
        el('span', { class: 'model-meta' }, describeModel(model)),
      ),
      mark && icon(mark),
    );
    return el('li', {}, choose, isStored(model) ? this.#removeButton(model) : null);
  }

  #removeButton(model: CatalogModel): HTMLElement {
    return iconButton(
      'trash',
      `Delete ${shortName(model.id)}`,
      () => void this.#confirm(model, 'remove'),
    );
  }

  #choose(model: CatalogModel): void {
    if (model.state === 'available') return void this.#confirm(model, 'install');
    this.#dialog.close();
    // A download that the user has already confirmed continues without asking again.
    void (needsDownload(model) ? this.#shelf.install(model.id) : this.#shelf.select(model.id));
  }

  async #confirm(model: CatalogModel, action: 'install' | 'remove'): Promise<void> {
    const view = await modelConfirmation(model, action, {
      onCancel: () => this.#showList(),
      onConfirm: () => this.#carryOut(model, action),
    });
    this.#dialog.replaceContent(view.element);
    view.focus();
  }

  #carryOut(model: CatalogModel, action: 'install' | 'remove'): void {
    if (action === 'remove') return void this.#shelf.remove(model.id).then(() => this.#showList());
    this.#dialog.close();
    void this.#shelf.install(model.id);
  }
}

function needsDownload({ state }: CatalogModel): boolean {
  return state === 'available' || state === 'downloading' || state === 'paused';
}

function isStored({ state }: CatalogModel): boolean {
  return state === 'installed' || state === 'loaded' || state === 'paused';
}
