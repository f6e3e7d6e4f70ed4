import * as v from 'valibot';
import type { RawBrowser, RawPage } from './raw-browser.ts';
import { call } from './browser.ts';
import type { DirectVoice } from './direct/speech-messages.ts';
import type { BySide, Side } from './pairs.ts';
import { timedSpeechSchema, type TimedSpeech } from './timed-speech.ts';

const MODEL = 'hexgrad/Kokoro-82M';
const VOICE = 'af_heart';

/** One sentence of 10 words. */
export const TEN = 'The morning train to the old harbour leaves at seven.';

/** Two sentences of 5 words each. Audio can be sent at the end of a sentence, which is earlier here than in `TEN`. */
export const TWICE_FIVE = 'The train leaves at seven. Please do not come late.';

/** Five sentences of 12 words each. */
export const SIXTY = [
  'The weather turned cold last night, and the lake began to freeze.',
  'My neighbour walked along the shore this morning with her small dog.',
  'She saw three children who were skating where the ice was thin.',
  'She called them back at once, and they listened without any argument.',
  'Later they all drank hot chocolate in the warm kitchen and laughed.',
].join(' ');

export function openSpeechPage(browser: RawBrowser, origin: string): Promise<RawPage> {
  return browser.open(`${origin}/slashv1/v1.html`);
}

/** Loads our voice. By default it uses one thread, like kokoro-js. */
export async function startV1Speech(page: RawPage, speechThreads = 1): Promise<void> {
  await page.evaluate(call('bench.startV1', MODEL, { speechThreads }));
}

/** Loads kokoro-js. */
export async function startDirectSpeech(page: RawPage, origin: string): Promise<void> {
  const voice: DirectVoice = {
    pack: `${origin}/slashv1/packs/kokoro-82m/`,
    voice: VOICE,
    runtime: `${origin}/slashv1/onnx.wasm`,
  };
  const script = `${origin}/direct/speech-worker.js`;
  await page.evaluate(call('bench.startDirectSpeech', script, voice));
}

/** How each side loads its voice. */
export function speechStarters(page: RawPage, origin: string): BySide<() => Promise<void>> {
  return { v1: () => startV1Speech(page), direct: () => startDirectSpeech(page, origin) };
}

/** @param by - `sentence`: kokoro-js splits the text itself; our API always does */
export async function speak(
  page: RawPage,
  side: Side,
  text: string,
  by: 'text' | 'sentence' = 'text',
): Promise<TimedSpeech> {
  const expression =
    side === 'v1'
      ? call('bench.speakV1', { model: MODEL, voice: VOICE, input: text })
      : call('bench.speakDirect', text, by);
  return v.parse(timedSpeechSchema, await page.evaluate(expression));
}

/** Seconds of computing for one second of audio. */
export function secondsPerSecond({ totalMs, seconds }: TimedSpeech): number {
  return totalMs / 1000 / seconds;
}
