import { el, type Attributes } from './dom.ts';
import { icon, type IconName } from './icons.ts';

/** A square button with an icon; `label` is its accessible name and its tooltip. */
export function iconButton(
  name: IconName,
  label: string,
  onclick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const common = { type: 'button', class: 'icon-button', 'aria-label': label, title: label };
  return el('button', { ...common, onclick, ...attributes }, icon(name));
}

export function textButton(
  label: string,
  onclick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return el('button', { type: 'button', class: 'button', onclick, ...attributes }, label);
}

const CONFIRMATION_MS = 1600;

/** Copies what `text` returns when the button is pressed, and briefly shows whether that worked. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const button = iconButton('copy', label, () => void copy());
  const status = el('span', { class: 'visually-hidden', role: 'status' });
  button.append(status);
  const copy = async () => {
    const done = await writeClipboard(text());
    button.firstElementChild?.replaceWith(icon(done ? 'check' : 'warning'));
    status.textContent = done ? 'Copied' : 'The browser does not allow copying';
    setTimeout(() => {
      button.firstElementChild?.replaceWith(icon('copy'));
      status.textContent = '';
    }, CONFIRMATION_MS);
  };
  return button;
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
