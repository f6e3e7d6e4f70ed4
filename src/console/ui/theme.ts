import { readSetting, writeSetting } from './settings.ts';

export type Theme = 'light' | 'dark';

function systemTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : systemTheme();
}

/** Applies the theme that was chosen on an earlier visit. Without one, the CSS follows the system. */
export function restoreTheme(): void {
  const stored = readSetting('theme');
  if (stored === 'light' || stored === 'dark') applyTheme(stored);
}

/**
 * Switches to the other theme and returns it. If that is the system's own theme, the stored choice is
 * deleted, so that the page follows the system again.
 */
export function toggleTheme(): Theme {
  const theme = currentTheme() === 'dark' ? 'light' : 'dark';
  const followsSystem = theme === systemTheme();
  writeSetting('theme', followsSystem ? null : theme);
  applyTheme(followsSystem ? null : theme);
  return theme;
}

function applyTheme(theme: Theme | null): void {
  const root = document.documentElement;
  if (theme === null) delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  const color = getComputedStyle(root).backgroundColor;
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    meta.setAttribute('content', color);
  }
}
