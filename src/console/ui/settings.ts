/**
 * What the console remembers between visits. `keep`: `no` if chats are not kept on this device. `draft-ITEM`: what is
 * typed into a chat. `presets`, `prompts`, `servers`: as JSON. `library`: set if files may be stored. `install`: `no` if the
 * app has been installed, or is not wanted. `voice`: the model and the voice that read aloud, as JSON. `allowed-code`: hashes
 * of the code of functions that may run, as JSON.
 */
export type Setting =
  | 'theme'
  | 'language'
  | 'model'
  | 'keep'
  | 'presets'
  | 'prompts'
  | 'servers'
  | 'allowed-code'
  | 'library'
  | 'install'
  | 'voice'
  | `draft-${string}`;

const PREFIX = 'slashv1-console-';
const DRAFT = 'draft-';

/** The names behind `draft-` under which texts are stored. */
export function storedDrafts(): string[] {
  return storedNames().flatMap((name) =>
    name.startsWith(DRAFT) ? [name.slice(DRAFT.length)] : [],
  );
}

/** Deletes all that the console remembers between visits, except chats. */
export function forgetSettings(): void {
  for (const name of storedNames()) localStorage.removeItem(PREFIX + name);
}

function storedNames(): string[] {
  try {
    const all = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    return all.map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

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
