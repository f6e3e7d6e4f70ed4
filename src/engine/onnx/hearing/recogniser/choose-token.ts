import type { WhisperConfig } from '../../../../core/files/hearing/whisper-config.ts';

/** Seconds between two tokens that are times. */
export const TIME_STEP = 0.02;
/** The first time of a window is at most this, in steps: 1 s, as in openai/whisper. */
const LATEST_FIRST_TIME = 50;

export interface Choice {
  token: number;
  /** Natural logarithm of its probability among the tokens that could be written. */
  logprob: number;
}

interface Options {
  config: Pick<WhisperConfig, 'tokens' | 'suppressed' | 'suppressedFirst'>;
  /** Whether the text is written with times. */
  withTimes: boolean;
  /** 0: the likeliest token. */
  temperature: number;
  /** 0 to 1. */
  random: () => number;
}

/**
 * Chooses a token by Whisper's rules, as in openai/whisper `decoding.py`: times come in pairs and never go back, the
 * text begins with a time, and a time is written if all times together are likelier than any single other token.
 *
 * @param logits - of all tokens; they are changed
 * @param written - the tokens of this window so far
 */
export function chooseToken(
  logits: Float32Array,
  written: readonly number[],
  options: Options,
): Choice {
  const { config, withTimes, temperature, random } = options;
  const { tokens, suppressed, suppressedFirst } = config;
  const never = (ids: Iterable<number>) => {
    for (const id of ids) logits[id] = -Infinity;
  };
  never(suppressed);
  if (written.length === 0) never(suppressedFirst);
  // The tokens between the end and the times are marks that belong before the text.
  logits.fill(-Infinity, tokens.end + 1, tokens.firstTime);
  if (withTimes) allowTimes(logits, written, tokens);
  else logits.fill(-Infinity, tokens.firstTime);
  return drawToken(logits, temperature, random);
}

function allowTimes(
  logits: Float32Array,
  written: readonly number[],
  { end, firstTime }: WhisperConfig['tokens'],
): void {
  const isTime = (token: number | undefined) => token !== undefined && token >= firstTime;
  if (written.length === 0) {
    logits.fill(-Infinity, 0, firstTime);
    logits.fill(-Infinity, firstTime + LATEST_FIRST_TIME + 1);
    return;
  }
  const last = written.at(-1);
  const endsPair = isTime(last) && (written.length < 2 || isTime(written.at(-2)));
  if (endsPair) logits.fill(-Infinity, firstTime);
  // Either another time, which begins the next segment, or the end.
  else if (isTime(last)) logits.fill(-Infinity, 0, end);
  const latest = written.findLast(isTime);
  // A segment that ends where it begins would repeat without end.
  if (latest !== undefined) {
    logits.fill(-Infinity, firstTime, isTime(last) && !endsPair ? latest : latest + 1);
  }
  const times = logSumExp(logits.subarray(firstTime));
  if (times > largest(logits.subarray(0, firstTime))) logits.fill(-Infinity, 0, firstTime);
}

function largest(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

/** Draws a token by its probability. */
export function drawToken(logits: Float32Array, temperature: number, random: () => number): Choice {
  const total = logSumExp(logits);
  let token = 0;
  if (temperature === 0) {
    for (const [id, logit] of logits.entries()) if (logit > (logits[token] ?? 0)) token = id;
  } else {
    const scaled = logits.map((logit) => logit / temperature);
    const scaledTotal = logSumExp(scaled);
    let left = random();
    token = scaled.findIndex((logit) => (left -= Math.exp(logit - scaledTotal)) <= 0);
    if (token < 0) token = scaled.findLastIndex((logit) => logit > -Infinity);
  }
  return { token, logprob: (logits[token] ?? -Infinity) - total };
}

/** Logarithm of the sum of the exponentials; -∞ if all values are. */
export function logSumExp(values: Float32Array): number {
  const most = largest(values);
  if (most === -Infinity) return -Infinity;
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}
