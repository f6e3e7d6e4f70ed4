/**
 * The two things the console remembers. Questions and answers are not among them:
 * they live in this tab's memory and end with it.
 */
export type Setting = 'theme' | 'model';

const PREFIX = 'slashv1-console-';

/** Null where nothing is stored, or where the browser stores nothing for this site. */
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
    // Blocked storage costs only the memory of a choice.
  }
}
