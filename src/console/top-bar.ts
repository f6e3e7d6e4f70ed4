import { iconButton } from './ui/buttons.ts';
import { el } from './ui/dom.ts';
import { icon } from './ui/icons.ts';
import { currentTheme, toggleTheme } from './ui/theme.ts';

export interface TopBarActions {
  onNewChat: () => void;
  onCode: () => void;
  /** Buttons of other parts, shown before the bar's own. */
  others: HTMLElement[];
}

/** The name, the actions and the theme button. A page that cannot serve passes no actions. */
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

/** A button with icon and label. Narrow screens show only the icon. */
function labelled(name: 'plus' | 'code', label: string, onclick: () => void): HTMLElement {
  const attributes = { type: 'button', class: 'top-button', title: label, onclick };
  return el('button', attributes, icon(name), el('span', {}, label));
}

function themeButton(): HTMLElement {
  const button = iconButton('theme', '', () => {
    toggleTheme();
    updateLabel();
  });
  const updateLabel = () => {
    const label = currentTheme() === 'dark' ? 'Light theme' : 'Dark theme';
    button.setAttribute('aria-label', label);
    button.title = label;
  };
  updateLabel();
  return button;
}
