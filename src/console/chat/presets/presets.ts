import { member } from '../../json.ts';
import { NamedList } from '../../ui/stored-list.ts';
import type { ChatSettings } from '../conversation/conversation.ts';
import { ownSettings } from '../conversation/files/own-format.ts';
import { text } from '../conversation/files/values.ts';

/** Settings under a name. */
export interface Preset {
  name: string;
  /** Id of the model that it chooses. */
  model: string;
  settings: ChatSettings;
  /** Whether new chats begin with its settings. */
  isForNew?: true;
}

/** All presets. */
export const presets = new NamedList<Preset>('presets', (value) => {
  const name = text(member(value, 'name'));
  if (name === '') return undefined;
  const settings = ownSettings(member(value, 'settings'));
  const preset: Preset = { name, model: text(member(value, 'model')), settings };
  return member(value, 'isForNew') === true ? { ...preset, isForNew: true } : preset;
});

/** Lets new chats begin with a preset, or with none. */
export function setPresetForNew(preset: Preset | undefined): void {
  presets.store(
    presets.value.map(({ isForNew: _was, ...each }) =>
      each.name === preset?.name ? { ...each, isForNew: true } : each,
    ),
  );
}

/** The preset that these settings are; undefined: none. */
export function presetOf(settings: ChatSettings): Preset | undefined {
  return presets.value.find((preset) => sorted(preset.settings) === sorted(settings));
}

function sorted(settings: ChatSettings): string {
  return JSON.stringify(
    Object.entries(settings).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
