import type { Speech, Voice } from './speech.ts';

/** OpenAI's voices, by how they sound. */
const SOUNDS = {
  female: ['alloy', 'coral', 'marin', 'nova', 'sage', 'shimmer'],
  male: ['ash', 'ballad', 'cedar', 'echo', 'fable', 'onyx', 'verse'],
} as const;

/**
 * Adds OpenAI's names of voices, which many programs send. Each stands for the voice of the same name, else for
 * one that sounds alike, else for any.
 */
export function withOpenAiVoices(speech: Speech): Speech {
  const aliases: Record<string, string> = {};
  for (const [gender, names] of Object.entries(SOUNDS)) {
    const alike = speech.voices.filter((voice) => voice.gender === gender);
    const others = alike.length > 0 ? alike : speech.voices;
    for (const [index, name] of names.entries()) {
      const voice = named(name, speech.voices) ?? others[index % others.length];
      if (voice) aliases[name] = voice.id;
    }
  }
  return { ...speech, aliases: { ...aliases, ...speech.aliases } };
}

/** Kokoro's voices have a prefix: `af_nova`. */
function named(name: string, voices: readonly Voice[]): Voice | undefined {
  return voices.find(({ id }) => id === name || id.endsWith(`_${name}`));
}
