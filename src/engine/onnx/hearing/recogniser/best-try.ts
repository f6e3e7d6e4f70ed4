/** The temperatures to try in turn, and the limits beyond which a text is not trusted, all from openai/whisper. */
const TEMPERATURES = [0, 0.2, 0.4, 0.6, 0.8, 1];
export const LEAST_LOGPROB = -1;
const MOST_COMPRESSION = 2.4;
export const SILENCE = 0.6;

/** How sure a model is of a text. */
interface Tried {
  averageLogprob: number;
  compressionRatio: number;
  /** 0 to 1. */
  noSpeech: number;
}

/**
 * Returns the first text that can be trusted, or else the last.
 *
 * @param temperature - 0: the likeliest tokens; if they repeat themselves or are very unlikely, higher ones are tried
 */
export async function bestTry<T extends Tried>(
  temperature: number,
  attempt: (temperature: number) => Promise<T>,
): Promise<T> {
  let best: T | undefined;
  for (const each of temperature === 0 ? TEMPERATURES : [temperature]) {
    best = await attempt(each);
    const isUnlikely = best.averageLogprob < LEAST_LOGPROB;
    const repeats = best.compressionRatio > MOST_COMPRESSION;
    if (!repeats && (!isUnlikely || best.noSpeech > SILENCE)) break;
  }
  if (!best) throw new Error('No temperature was tried.');
  return best;
}
