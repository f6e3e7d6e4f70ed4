export interface Voice {
  /** The name that requests use, e.g. `af_heart`. */
  id: string;
  /** The name that people see, e.g. `Heart`. */
  name: string;
  /** BCP-47 tags of the languages that the voice speaks, e.g. `en-US`; its native one first. */
  languages: string[];
  gender?: 'female' | 'male' | undefined;
}

/** The details of a model whose task is `speech`. */
export interface Speech {
  /** Which adapter runs the model. */
  family: 'kokoro' | 'piper' | 'vits' | 'speecht5' | 'supertonic';
  /** The voices, in the order in which they are offered. */
  voices: Voice[];
  /** Other names of voices → their ids: OpenAI's, which many programs send. */
  aliases?: Record<string, string> | undefined;
  /** Hertz. */
  sampleRate: number;
}

/** The voice that has this name, or this alias. */
export function voiceNamed({ voices, aliases }: Speech, name: string): Voice | undefined {
  const named = (id: string | undefined) => voices.find((voice) => voice.id === id);
  return named(name) ?? named(aliases?.[name]);
}
