import * as v from 'valibot';
import { model, numberIn, object, optional, text } from '../http/fields.ts';

/** Most characters of a text to speak. */
const MAX_INPUT = 4096;

/** The name of a voice, alone or as the `id` of an object. */
export const voiceName = v.union(
  [
    v.string(),
    v.pipe(
      object({ id: v.string() }),
      v.transform(({ id }) => id),
    ),
  ],
  'must be a string or an object with an id',
);

export const speechRequestSchema = object(
  {
    model,
    input: v.pipe(
      text,
      v.check((given) => /\S/.test(given), 'must not be empty'),
      // Code points are close to characters as people count them; UTF-16 units are not.
      v.check(
        (input) => Array.from(input).length <= MAX_INPUT,
        `must have at most ${MAX_INPUT} characters`,
      ),
    ),
    voice: voiceName,
    response_format: optional(text),
    speed: numberIn(0.25, 4),
    lang_code: optional(text),
    instructions: optional(text),
    stream_format: optional(text),
  },
  'must be a JSON object',
);

export type SpeechRequest = v.InferOutput<typeof speechRequestSchema>;

/** The names are those of a POST's body. */
const TEXTS = ['model', 'input', 'voice', 'response_format', 'lang_code'] as const;

/** The speech request in a URL's query. It is validated as a body is. */
export function speechQuery({ searchParams }: URL): Record<string, string | number> {
  const query: Record<string, string | number> = {};
  for (const name of TEXTS) {
    const value = searchParams.get(name);
    if (value !== null) query[name] = value;
  }
  const speed = searchParams.get('speed');
  return speed === null ? query : { ...query, speed: Number(speed) };
}
