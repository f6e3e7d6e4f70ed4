import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { RawBrowser, RawPage } from './raw-browser.ts';
import { call, withBrowser } from './browser.ts';
import type { DirectVoice } from './direct/speech-messages.ts';
import { inTurn, measurePairs, median, spread, type Pair, type Spread } from './statistics.ts';

const MODEL = 'hexgrad/Kokoro-82M';
const VOICE = 'af_heart';

/** One sentence of 10 words. */
const TEN = 'The morning train to the old harbour leaves at seven.';

/** Ten words as well, in two sentences: of one, no part can come before the whole. */
const TWICE_FIVE = 'The train leaves at seven. Please do not come late.';

/** Five sentences of 12 words each. */
const SIXTY = [
  'The weather turned cold last night, and the lake began to freeze.',
  'My neighbour walked along the shore this morning with her small dog.',
  'She saw three children who were skating where the ice was thin.',
  'She called them back at once, and they listened without any argument.',
  'Later they all drank hot chocolate in the warm kitchen and laughed.',
].join(' ');

const spokenSchema = v.object({ firstMs: v.number(), totalMs: v.number(), seconds: v.number() });

type Spoken = v.InferOutput<typeof spokenSchema>;

/** One text. Ratios are those of `/v1` ÷ kokoro-js, by pairs. */
export interface TextResult {
  /** Milliseconds of synthesis for a second of sound. */
  costRatio: Spread;
  /** Seconds of synthesis for a second of sound. */
  cost: Pair<number>;
  firstByteRatio: Spread;
  firstByteMs: Pair<number>;
  /** kokoro-js when it is asked to part the text itself. */
  bySentence?: { firstByteMs: number; cost: number };
  /** Seconds of sound. */
  seconds: Pair<number>;
}

export interface SpeechResult {
  ten: TextResult;
  twiceFive: TextResult;
  sixty: TextResult;
  /** Of the page's process after the long text, bytes; undefined where the system does not tell. */
  peakBytes: Pair<number> | undefined;
}

/** @param pairs - of the long text; of the short ones it is twice as many */
export async function measureSpeech(origin: string, pairs: number): Promise<SpeechResult> {
  const { ten, twiceFive, sixty } = await withBrowser(async (browser) => {
    const page = await open(browser, origin);
    await startV1(page);
    await startDirect(page, origin);
    return {
      ten: await measureText(page, TEN, 2 * pairs),
      twiceFive: await measureText(page, TWICE_FIVE, 2 * pairs),
      sixty: await measureText(page, SIXTY, pairs, true),
    };
  });
  const v1 = await peakOf(origin, startV1, 'v1');
  const direct = await peakOf(origin, (page) => startDirect(page, origin), 'direct');
  const isKnown = v1 !== undefined && direct !== undefined;
  return { ten, twiceFive, sixty, peakBytes: isKnown ? { v1, direct } : undefined };
}

function open(browser: RawBrowser, origin: string): Promise<RawPage> {
  return browser.open(`${origin}/slashv1/v1.html`, '"bench" in window');
}

/** What two threads take ÷ what one takes, and each, seconds of synthesis for a second of sound. */
export interface ThreadsResult {
  ratio: Spread;
  one: number;
  two: number;
}

/** The short text on one thread and on two, in two browsers in turn. */
export function measureThreads(origin: string, pairs: number): Promise<ThreadsResult> {
  return withBrowser((first) =>
    withBrowser(async (second) => {
      const [one, two] = [await open(first, origin), await open(second, origin)];
      await startV1(one, 1);
      await startV1(two, 2);
      const measure = (count: number) =>
        inTurn(
          count,
          () => speak(one, 'v1', TEN),
          () => speak(two, 'v1', TEN),
        );
      await measure(1);
      const measured = await measure(pairs);
      return {
        ratio: spread(measured.map(([onOne, onTwo]) => cost(onTwo) / cost(onOne))),
        one: median(measured.map(([onOne]) => cost(onOne))),
        two: median(measured.map(([, onTwo]) => cost(onTwo))),
      };
    }),
  );
}

/** As long as it is not told otherwise, on one thread, as the other side. */
async function startV1(page: RawPage, speechThreads = 1): Promise<void> {
  await page.evaluate(call('bench.startV1', MODEL, { speechThreads }));
}

async function startDirect(page: RawPage, origin: string): Promise<void> {
  const voice: DirectVoice = {
    pack: `${origin}/slashv1/packs/kokoro-82m/`,
    voice: VOICE,
    runtime: `${origin}/slashv1/speech.wasm`,
  };
  const script = `${origin}/direct/speech-worker.js`;
  await page.evaluate(call('bench.startDirectSpeech', script, voice));
}

async function measureText(
  page: RawPage,
  text: string,
  count: number,
  hasSentences = false,
): Promise<TextResult> {
  const measure = {
    v1: () => speak(page, 'v1', text),
    direct: () => speak(page, 'direct', text),
  };
  if (!hasSentences) await measurePairs(1, measure);
  const pairs = await measurePairs(count, measure);
  const parted = hasSentences ? await speakSentences(page, text, count) : [];
  const ratio = (value: (spoken: Spoken) => number) =>
    spread(pairs.map(({ v1, direct }) => value(v1) / value(direct)));
  const medians = (value: (spoken: Spoken) => number) => ({
    v1: median(pairs.map(({ v1 }) => value(v1))),
    direct: median(pairs.map(({ direct }) => value(direct))),
  });
  return {
    costRatio: ratio(cost),
    cost: medians(cost),
    firstByteRatio: ratio(({ firstMs }) => firstMs),
    firstByteMs: medians(({ firstMs }) => firstMs),
    seconds: medians(({ seconds }) => seconds),
    ...(hasSentences && {
      bySentence: {
        firstByteMs: median(parted.map(({ firstMs }) => firstMs)),
        cost: median(parted.map(cost)),
      },
    }),
  };
}

async function speakSentences(page: RawPage, text: string, count: number): Promise<Spoken[]> {
  const parted: Spoken[] = [];
  while (parted.length < count) parted.push(await speak(page, 'direct', text, 'sentence'));
  return parted;
}

/** Seconds for a second of sound. */
function cost({ totalMs, seconds }: Spoken): number {
  return totalMs / 1000 / seconds;
}

async function speak(
  page: RawPage,
  side: 'v1' | 'direct',
  text: string,
  by: 'text' | 'sentence' = 'text',
): Promise<Spoken> {
  const expression =
    side === 'v1'
      ? call('bench.speakV1', { model: MODEL, voice: VOICE, input: text })
      : call('bench.speakDirect', text, by);
  return v.parse(spokenSchema, await page.evaluate(expression));
}

const processesSchema = v.object({
  processInfo: v.array(v.object({ type: v.string(), id: v.number() })),
});

/** In a browser where only one side has ever spoken. */
function peakOf(
  origin: string,
  start: (page: RawPage) => Promise<void>,
  side: 'v1' | 'direct',
): Promise<number | undefined> {
  return withBrowser(async (browser) => {
    const page = await open(browser, origin);
    await start(page);
    await speak(page, side, SIXTY);
    const { processInfo } = v.parse(
      processesSchema,
      await browser.send('SystemInfo.getProcessInfo'),
    );
    const pages = processInfo.filter(({ type }) => type === 'renderer');
    const peaks = pages.flatMap(({ id }) => peakBytes(id) ?? []);
    return peaks.length > 0 ? Math.max(...peaks) : undefined;
  });
}

/** The most memory that a process has had; Linux alone tells. */
function peakBytes(processId: number): number | undefined {
  const path = `/proc/${processId}/status`;
  const [, kilobytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(existsSync(path) ? readFileSync(path, 'utf8') : '') ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
