import type { RawPage } from './raw-browser.ts';
import { withBrowser } from './browser.ts';
import { bothSides, measurePairs, medianOfPairs, mediansBySide, type BySide } from './pairs.ts';
import type { Launch } from './section.ts';
import {
  openSpeechPage,
  secondsPerSecond,
  SIXTY,
  speak,
  speechStarters,
  TEN,
  TWICE_FIVE,
} from './speech-page.ts';
import { median } from './statistics.ts';
import type { TimedSpeech } from './timed-speech.ts';

/** Medians over the pairs of one launch. Ratios are those of `/v1` ÷ kokoro-js. */
export interface TextResult {
  costRatio: number;
  /** Seconds of computing for one second of audio. */
  cost: BySide<number>;
  firstByteRatio: number;
  firstByteMs: BySide<number>;
  /** Length of the audio, seconds. */
  seconds: BySide<number>;
}

/** kokoro-js when it splits the text into sentences itself; medians of one launch. */
export interface SentencesResult {
  firstByteMs: number;
  cost: number;
}

export interface SpeechResult {
  ten: TextResult;
  twiceFive: TextResult;
  sixty: TextResult;
  directSentences: SentencesResult;
}

/** @param count - pairs for the long text; the short texts get twice as many */
export function measureSpeech({ origin, isSwapped }: Launch, count: number): Promise<SpeechResult> {
  return withBrowser(async (browser) => {
    const page = await openSpeechPage(browser, origin);
    await bothSides(speechStarters(page, origin), isSwapped);
    const measure = (text: string, pairs: number) => measureText(page, text, pairs, isSwapped);
    for (const text of [TEN, TWICE_FIVE]) await measure(text, 1);
    return {
      ten: await measure(TEN, 2 * count),
      twiceFive: await measure(TWICE_FIVE, 2 * count),
      sixty: await measure(SIXTY, count),
      directSentences: await measureSentences(page, count),
    };
  });
}

async function measureText(
  page: RawPage,
  text: string,
  count: number,
  isSwapped: boolean,
): Promise<TextResult> {
  const sides = { v1: () => speak(page, 'v1', text), direct: () => speak(page, 'direct', text) };
  const pairs = await measurePairs(count, sides, isSwapped);
  return {
    costRatio: ratioOf(pairs, secondsPerSecond),
    cost: mediansBySide(pairs, secondsPerSecond),
    firstByteRatio: ratioOf(pairs, ({ firstMs }) => firstMs),
    firstByteMs: mediansBySide(pairs, ({ firstMs }) => firstMs),
    seconds: mediansBySide(pairs, ({ seconds }) => seconds),
  };
}

function ratioOf(pairs: BySide<TimedSpeech>[], value: (speech: TimedSpeech) => number): number {
  return medianOfPairs(pairs, ({ v1, direct }) => value(v1) / value(direct));
}

async function measureSentences(page: RawPage, count: number): Promise<SentencesResult> {
  const speeches: TimedSpeech[] = [];
  while (speeches.length < count) speeches.push(await speak(page, 'direct', SIXTY, 'sentence'));
  return {
    firstByteMs: median(speeches.map(({ firstMs }) => firstMs)),
    cost: median(speeches.map(secondsPerSecond)),
  };
}
