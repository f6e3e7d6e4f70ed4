import { iconButton } from './ui/buttons.ts';
import { el } from './ui/dom.ts';
import { icon } from './ui/icons.ts';
import { currentTheme, toggleTheme } from './ui/theme.ts';

export interface TopBarActions {
  onNewChat: () => void;
  onCode: () => void;
  /** Buttons of other parts, before these. */
  others: HTMLElement[];
}

/** Name and actions. Without actions (a page that cannot serve) only the name and the theme. */
export function topBar(actions?: TopBarActions): HTMLElement {
  return el(
    'header',
    { class: 'top-bar' },
    wordmark(),
    el('span', { class: 'spacer' }),
    ...(actions ? actionButtons(actions) : []),
    themeButton(),
  );
}

function wordmark(): HTMLElement {
  const mark = el('img', { class: 'mark', src: './favicon.svg', alt: '' });
  return el('span', { class: 'wordmark' }, mark, 'slashv1');
}

function actionButtons({ onNewChat, onCode, others }: TopBarActions): HTMLElement[] {
  return [
    ...others,
    labelled('plus', 'New chat', onNewChat),
    labelled('code', 'Use it from code', onCode),
  ];
}

/** On narrow screens the label gives way, and the icon stays. */
function labelled(name: 'plus' | 'code', label: string, onclick: () => void): HTMLElement {
  const attributes = { type: 'button', class: 'top-button', title: label, onclick };
  return el('button', attributes, icon(name), el('span', {}, label));
}

function themeButton(): HTMLElement {
  const button = iconButton('theme', '', () => {
    toggleTheme();
    rename();
  });
  const rename = () => {
    const label = currentTheme() === 'dark' ? 'Light theme' : 'Dark theme';
    button.setAttribute('aria-label', label);
    button.title = label;
  };
  rename();
  return button;
}
