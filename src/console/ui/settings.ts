/**
 * The two things that the console remembers between visits. Questions and answers are not stored: they
 * are kept in the tab's memory and end with the tab.
 */
export type Setting = 'theme' | 'model';

const PREFIX = 'slashv1-console-';

/** Null if nothing is stored, or if the browser blocks storage for this site. */
export function readSetting(name: Setting): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function writeSetting(name: Setting, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // If storage is blocked, the choice is only forgotten.
  }
}
