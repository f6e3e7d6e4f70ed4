import type { CatalogModel } from '../../index.ts';
import { locale } from '../messages/locale.ts';

type Speech = NonNullable<CatalogModel['speech']>;

/** The voices of one language, as a group in a list to choose from. */
export interface VoiceGroup {
  /** In the language that is shown, e.g. `American English`. */
  language: string;
  voices: { id: string; name: string }[];
}

/** Groups the voices by their first language, in the order of the catalog. */
export function voiceGroups({ voices }: Speech): VoiceGroup[] {
  const names = new Intl.DisplayNames(locale.value, { type: 'language' });
  const groups = new Map<string, VoiceGroup>();
  for (const { id, name, languages } of voices) {
    const [tag = 'und'] = languages;
    const group = groups.get(tag) ?? { language: names.of(tag) ?? tag, voices: [] };
    group.voices.push({ id, name });
    groups.set(tag, group);
  }
  return [...groups.values()];
}
