import * as v from 'valibot';

/** One speech as the page saw it. Times are in milliseconds, by the page's own clock. */
export const timedSpeechSchema = v.object({
  /** From the request to the first audio. */
  firstMs: v.number(),
  /** From the request to the last audio. */
  totalMs: v.number(),
  /** Length of the audio. */
  seconds: v.number(),
});

export type TimedSpeech = v.InferOutput<typeof timedSpeechSchema>;
