import { el } from './dom.ts';

export interface Tab {
  title: string;
  panel: HTMLElement;
}

/** Tabs as in the ARIA practices: the arrow keys switch between them, and together they are one tab stop. */
export function tabs(label: string, entries: Tab[]): HTMLElement {
  const buttons = entries.map(({ title }, index) =>
    el('button', { type: 'button', role: 'tab', onclick: () => select(index) }, title),
  );
  const select = (chosen: number) => {
    entries.forEach(({ panel }, index) => (panel.hidden = index !== chosen));
    buttons.forEach((button, index) => {
      button.setAttribute('aria-selected', String(index === chosen));
      button.tabIndex = index === chosen ? 0 : -1;
    });
  };
  for (const [index, { panel, title }] of entries.entries()) {
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-label', title);
    buttons[index]?.addEventListener('keydown', (event) => move(event, index));
  }
  const move = (event: KeyboardEvent, from: number) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = (from + step + entries.length) % entries.length;
    select(next);
    buttons[next]?.focus();
  };
  select(0);
  const list = el('div', { class: 'tabs', role: 'tablist', 'aria-label': label }, ...buttons);
  return el('div', {}, list, ...entries.map(({ panel }) => panel));
}
