import { TIME_STEP } from './choose-token.ts';

/** A part of the tokens of a window; times are seconds from its beginning. */
export interface TokenSegment {
  start: number;
  end: number;
  /** Index of its first text token, and of the token after its last one. */
  from: number;
  to: number;
}

/**
 * The segments of a window, as in openai/whisper `transcribe.py`: two times in a row end one and begin another. If
 * the text after the last such pair has no end time, the window cuts it off: the next window begins there.
 *
 * @param tokens - without the end token
 * @param seconds - length of the window
 * @returns the segments, and how far the window has been read, seconds
 */
export function splitAtTimes(
  tokens: readonly number[],
  firstTime: number,
  seconds: number,
): { segments: TokenSegment[]; until: number } {
  const isTime = (index: number) => (tokens[index] ?? -1) >= firstTime;
  const timeAt = (index: number) =>
    isTime(index) ? Math.min(seconds, ((tokens[index] ?? 0) - firstTime) * TIME_STEP) : undefined;
  const { length } = tokens;
  const cuts = [...tokens.keys()].filter((index) => isTime(index - 1) && isTime(index));
  const endsOnce = isTime(length - 1) && !isTime(length - 2);
  const bounds = [0, ...cuts, ...(endsOnce || cuts.length === 0 ? [length] : [])];
  const segments = bounds.slice(1).map((bound, place) => {
    const begin = bounds[place] ?? 0;
    return {
      start: timeAt(begin) ?? 0,
      end: timeAt(bound - 1) ?? seconds,
      from: isTime(begin) ? begin + 1 : begin,
      to: isTime(bound - 1) ? bound - 1 : bound,
    };
  });
  const lastCut = cuts.at(-1);
  const isCutOff = lastCut !== undefined && !endsOnce;
  return { segments, until: (isCutOff ? timeAt(lastCut - 1) : undefined) ?? seconds };
}
