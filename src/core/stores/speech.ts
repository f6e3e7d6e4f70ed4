import * as v from 'valibot';

const voiceSchema = v.object({
  /** The name that requests use, e.g. `af_heart`. */
  id: v.string(),
  /** The name that people see, e.g. `Heart`. */
  name: v.string(),
  /** BCP-47 tags of the languages that the voice speaks, e.g. `en-US`; its native one first. */
  languages: v.pipe(v.array(v.string()), v.minLength(1)),
  gender: v.optional(v.picklist(['female', 'male'])),
});

export const speechSchema = v.object({
  /** Which adapter runs the model. */
  family: v.picklist(['kokoro', 'piper', 'vits', 'speecht5', 'supertonic']),
  /** In the order in which they are offered. */
  voices: v.pipe(v.array(voiceSchema), v.minLength(1)),
  /** Other names of voices → their ids: OpenAI's, which many programs send. */
  aliases: v.optional(v.record(v.string(), v.string())),
  /** Hertz. */
  sampleRate: v.number(),
});

/** The details of a model whose task is `speech`. */
export type Speech = v.InferOutput<typeof speechSchema>;
export type Voice = v.InferOutput<typeof voiceSchema>;
