import * as v from 'valibot';
import type { Speech } from './speech.ts';

const voiceSchema = v.object({
  id: v.string(),
  name: v.string(),
  languages: v.pipe(v.array(v.string()), v.minLength(1)),
  gender: v.optional(v.picklist(['female', 'male'])),
});

/** Schema of `Speech`. The type has a file of its own so that the package's declarations need no valibot. */
export const speechSchema = v.object({
  family: v.picklist(['kokoro', 'piper', 'vits', 'speecht5', 'supertonic']),
  voices: v.pipe(v.array(voiceSchema), v.minLength(1)),
  aliases: v.optional(v.record(v.string(), v.string())),
  sampleRate: v.number(),
}) satisfies v.GenericSchema<unknown, Speech>;
