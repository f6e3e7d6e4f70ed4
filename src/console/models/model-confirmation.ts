import type { CatalogModel } from '../../index.ts';
import { textButton } from '../ui/buttons.ts';
import { el } from '../ui/dom.ts';
import { formatBytes } from '../ui/format.ts';
import { describeDownload, shortName } from './model-text.ts';

export interface ConfirmationActions {
  onCancel: () => void;
  onConfirm: () => void;
}

export interface Confirmation {
  element: HTMLElement;
  focus: () => void;
}

/** Asks before a model is downloaded or deleted, and lists what the user should know about it. */
export async function modelConfirmation(
  model: CatalogModel,
  action: 'install' | 'remove',
  { onCancel, onConfirm }: ConfirmationActions,
): Promise<Confirmation> {
  const lines =
    action === 'install' ? describeDownload(model, await freeBytes()) : describeRemoval(model);
  const verb = action === 'install' ? 'Download' : 'Delete';
  const look = action === 'install' ? 'button primary' : 'button danger';
  const cancel = textButton('Cancel', onCancel);
  const element = el(
    'div',
    { class: 'confirmation' },
    el('h3', {}, `${verb} ${shortName(model.id)}?`),
    el('ul', {}, ...lines.map((line) => el('li', {}, line))),
    el('div', { class: 'button-row' }, cancel, textButton(verb, onConfirm, { class: look })),
  );
  return { element, focus: () => cancel.focus() };
}

function describeRemoval({ bytes }: CatalogModel): string[] {
  const freed = bytes === undefined ? '' : ` That frees ${formatBytes(bytes)}.`;
  return [`Its weights are deleted from this browser.${freed}`];
}

/** How many more bytes the browser lets this site store; undefined if it does not say. */
async function freeBytes(): Promise<number | undefined> {
  try {
    const { quota, usage } = await navigator.storage.estimate();
    return quota === undefined || usage === undefined ? undefined : quota - usage;
  } catch {
    return undefined;
  }
}
