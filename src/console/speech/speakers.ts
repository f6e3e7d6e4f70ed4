import type { CatalogModel } from '../../index.ts';
import { member, parsed } from '../json.ts';
import { isReadyToUse } from '../models/stages.ts';
import { readSetting, writeSetting } from '../ui/settings.ts';
import { voiceGroups } from './voice-options.ts';

/** A model that speaks, and which of its voices. */
export interface Speaker {
  model: string;
  voice: string;
}

/** Models that speak, those that are ready first. */
export function speakers(all: readonly CatalogModel[]): CatalogModel[] {
  const models = all.filter(({ task }) => task === 'speech');
  return [...models.filter(isReadyToUse), ...models.filter((model) => !isReadyToUse(model))];
}

export function firstVoice(model: CatalogModel | undefined): string {
  const [group] = model?.speech ? voiceGroups(model.speech) : [];
  return group?.voices[0]?.id ?? '';
}

/** What reads aloud: the voice that was chosen last, else the first one; undefined: none is ready to use. */
export function readySpeaker(all: readonly CatalogModel[]): Speaker | undefined {
  const ready = speakers(all).filter(isReadyToUse);
  const chosen = parsed(readSetting('voice') ?? '');
  const [id, voice] = [member(chosen, 'model'), member(chosen, 'voice')];
  const last = ready.find((model) => model.id === id);
  const known = last?.speech?.voices.find((each) => each.id === voice);
  if (last && known) return { model: last.id, voice: known.id };
  const [first] = ready;
  return first && { model: first.id, voice: firstVoice(first) };
}

/** Remembers what reads aloud. */
export function chooseSpeaker({ model, voice }: Speaker): void {
  writeSetting('voice', JSON.stringify({ model, voice }));
}
