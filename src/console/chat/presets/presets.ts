import { signal, type ReadonlySignal } from '@preact/signals';
import { member, parsed } from '../../json.ts';
import { readSetting, writeSetting } from '../../ui/settings.ts';
import type { ChatSettings } from '../conversation/conversation.ts';
import { ownSettings } from '../conversation/files/own-format.ts';
import { list, text } from '../conversation/files/values.ts';

/** Settings under a name. */
export interface Preset {
  name: string;
  /** Id of the model that it chooses. */
  model: string;
  settings: ChatSettings;
  /** Whether new chats begin with its settings. */
  isForNew?: true;
}

const stored = signal<readonly Preset[]>(read());

/** All presets, by their names. */
export const presets: ReadonlySignal<readonly Preset[]> = stored;

// The event tells what other tabs store.
addEventListener('storage', () => (stored.value = read()));

function read(): readonly Preset[] {
  return list(parsed(readSetting('presets') ?? '')).flatMap((value) => {
    const name = text(member(value, 'name'));
    if (name === '') return [];
    const settings = ownSettings(member(value, 'settings'));
    const preset: Preset = { name, model: text(member(value, 'model')), settings };
    return [member(value, 'isForNew') === true ? { ...preset, isForNew: true } : preset];
  });
}

/** Stores a preset, in the place of the one with its name. */
export function savePreset(preset: Preset): void {
  const others = stored.value.filter(({ name }) => name !== preset.name);
  store([...others, preset]);
}

export function deletePreset(preset: Preset): void {
  store(stored.value.filter(({ name }) => name !== preset.name));
}

/** Lets new chats begin with a preset, or with none. */
export function setPresetForNew(preset: Preset | undefined): void {
  store(
    stored.value.map(({ isForNew: _was, ...each }) =>
      each.name === preset?.name ? { ...each, isForNew: true } : each,
    ),
  );
}

function store(all: readonly Preset[]): void {
  stored.value = all.toSorted((one, other) => one.name.localeCompare(other.name));
  writeSetting('presets', all.length === 0 ? null : JSON.stringify(stored.value));
}

/** The preset that these settings are; undefined: none. */
export function presetOf(settings: ChatSettings): Preset | undefined {
  return stored.value.find((preset) => sorted(preset.settings) === sorted(settings));
}

function sorted(settings: ChatSettings): string {
  return JSON.stringify(
    Object.entries(settings).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
