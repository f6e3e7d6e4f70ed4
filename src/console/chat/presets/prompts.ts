import { signal, type ReadonlySignal } from '@preact/signals';
import { member, parsed } from '../../json.ts';
import { readSetting, writeSetting } from '../../ui/settings.ts';
import { list, text } from '../conversation/files/values.ts';

/** A text under a name, which a slash puts into a message. */
export interface SavedPrompt {
  name: string;
  text: string;
}

const stored = signal<readonly SavedPrompt[]>(read());

/** All saved prompts, by their names. */
export const savedPrompts: ReadonlySignal<readonly SavedPrompt[]> = stored;

// The event tells what other tabs store.
addEventListener('storage', () => (stored.value = read()));

function read(): readonly SavedPrompt[] {
  return list(parsed(readSetting('prompts') ?? '')).flatMap((value) => {
    const [name, written] = [text(member(value, 'name')), text(member(value, 'text'))];
    return name === '' || written === '' ? [] : [{ name, text: written }];
  });
}

/** Stores a prompt, in the place of the one with its name. */
export function savePrompt(prompt: SavedPrompt): void {
  store([...stored.value.filter(({ name }) => name !== prompt.name), prompt]);
}

export function deletePrompt(prompt: SavedPrompt): void {
  store(stored.value.filter(({ name }) => name !== prompt.name));
}

function store(all: readonly SavedPrompt[]): void {
  stored.value = all.toSorted((one, other) => one.name.localeCompare(other.name));
  writeSetting('prompts', all.length === 0 ? null : JSON.stringify(stored.value));
}

/** The place of the first part in double braces, which the user fills in; the end if there is none. */
export function placeToFill(prompt: string): { start: number; end: number } {
  const found = /\{\{[^{}]*\}\}/.exec(prompt);
  const start = found?.index ?? prompt.length;
  return { start, end: start + (found?.[0].length ?? 0) };
}
