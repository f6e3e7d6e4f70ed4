import type { RawPage } from './raw-browser.ts';
import { withBrowser } from './browser.ts';
import { measureAlternately } from './pairs.ts';
import type { Launch } from './section.ts';
import { openSpeechPage, secondsPerSecond, speak, startV1Speech, TEN } from './speech-page.ts';
import { median } from './statistics.ts';

/** Medians over the pairs of one launch. */
export interface ThreadsResult {
  /** Time on two threads ÷ time on one. */
  ratio: number;
  /** Seconds of computing for one second of audio, on one thread. */
  one: number;
  /** Seconds of computing for one second of audio, on two threads. */
  two: number;
}

/** Speaks the short text on one thread and on two, alternately, each in a browser of its own. */
export function measureThreads(launch: Launch, count: number): Promise<ThreadsResult> {
  return withBrowser((first) =>
    withBrowser(async (second) => {
      const pages = [
        await openSpeechPage(first, launch.origin),
        await openSpeechPage(second, launch.origin),
      ] as const;
      return measurePages(pages, launch, count);
    }),
  );
}

async function measurePages(
  [one, two]: readonly [RawPage, RawPage],
  { isSwapped }: Launch,
  count: number,
): Promise<ThreadsResult> {
  const start = [() => startV1Speech(one, 1), () => startV1Speech(two, 2)] as const;
  await measureAlternately(1, ...start, isSwapped);
  const cost = [
    async () => secondsPerSecond(await speak(one, 'v1', TEN)),
    async () => secondsPerSecond(await speak(two, 'v1', TEN)),
  ] as const;
  // The first pair is a warm-up and is not counted.
  await measureAlternately(1, ...cost, isSwapped);
  const pairs = await measureAlternately(count, ...cost, isSwapped);
  return {
    ratio: median(pairs.map(([onOne, onTwo]) => onTwo / onOne)),
    one: median(pairs.map(([onOne]) => onOne)),
    two: median(pairs.map(([, onTwo]) => onTwo)),
  };
}
