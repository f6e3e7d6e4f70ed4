/** What the console remembers between visits. `keep`: whether chats are kept on this device. */
export type Setting = 'theme' | 'language' | 'model' | 'keep';

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
    // Storage may be blocked; then the setting does not persist.
  }
}
