import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright/test';
import { Mp3File } from '../../../../src/engine/onnx/speech/sound/mp3-file.ts';
import { WavFile } from '../../../../src/engine/onnx/speech/sound/wav-file.ts';
import { flac } from '../../../support/sound/flac.ts';
import type {} from '../../site/sounds.ts';
import type { DrivenPage } from '../browser/driven-page.ts';
import { openStarted, test as base, withProfile } from '../fixtures.ts';
import { RECOGNISER, withTestSite, type TestSite } from '../site.ts';

interface Said {
  /** A WAV file of 16 bits, mono, 16 kHz; relative to the fixtures. */
  file: string;
  language: string;
  seconds: number;
  text: string;
  /** When each word is said, seconds. */
  words: [number, number][];
}

export const RATE = 16_000;
const HEADER = 44;
const FIXTURES = new URL('../../../fixtures/', import.meta.url);

const cases: { recordings: Said[] } = JSON.parse(
  readFileSync(new URL('tiny-hear-cases.json', FIXTURES), 'utf8'),
);

/** Recordings in English of voices that were not in the training. */
export const phrases = cases.recordings.filter(({ language }) => language === 'en');

/** Recordings in Spanish of voices that were not in the training. */
export const spanish = cases.recordings.filter(({ language }) => language === 'es');

export const test = base.extend<object, { hearingSite: TestSite; hearing: Page }>({
  hearingSite: [({}, use) => withTestSite(['tiny-chat', 'tiny-hear'], use), { scope: 'worker' }],
  hearing: [
    ({ hearingSite }, use) =>
      withProfile(async (profile) => use(await openStarted(profile, hearingSite.url))),
    { scope: 'worker' },
  ],
});

/** 16-bit samples of a phrase. */
function samplesOf({ file }: Said): Int16Array {
  const bytes = readFileSync(new URL(file, FIXTURES)).subarray(HEADER);
  return new Int16Array(Uint8Array.from(bytes).buffer);
}

/** Samples of a phrase, -1 to 1. */
export function soundOf(phrase: Said): Float32Array {
  return Float32Array.from(samplesOf(phrase), (sample) => sample / 32_768);
}

/** A WAV file in which phrases begin at these seconds; the rest is silence. */
export function recording(seconds: number, parts: { at: number; phrase: Said }[]): Buffer {
  const samples = new Float32Array(Math.round(seconds * RATE));
  for (const { at, phrase } of parts) samples.set(soundOf(phrase), Math.round(at * RATE));
  return wavOf(samples);
}

/** A WAV file of these samples. */
export function wavOf(samples: Float32Array): Buffer {
  const file = new WavFile(RATE);
  const bytes = file.encode(samples);
  return Buffer.concat([file.finish().header, bytes]);
}

/** A WAV file of one phrase. */
export function said(phrase: Said): Buffer {
  return recording(phrase.seconds, [{ at: 0, phrase }]);
}

/** A FLAC file of one phrase. */
export function flacOf(phrase: Said): Buffer {
  return flac(samplesOf(phrase));
}

/** An MP3 file of one phrase. @param times - by how many the sample rate is higher than that of the phrase */
export async function mp3Of(phrase: Said, times = 1): Promise<Buffer> {
  const require = createRequire(import.meta.url);
  const lame = readFileSync(require.resolve('wasm-media-encoders/wasm/mp3'));
  const file = await Mp3File.open(await WebAssembly.compile(lame), RATE * times);
  const sound = soundOf(phrase);
  const samples = Float32Array.from(
    { length: sound.length * times },
    (_, at) => sound[Math.floor(at / times)] ?? 0,
  );
  const bytes = file.encode(samples);
  const { bytes: rest, header } = file.finish();
  return Buffer.concat([header, bytes, rest]);
}

export interface Heard {
  status: number;
  text: string;
}

/** What the API answers to a form with this file. */
export function transcribe(
  page: DrivenPage,
  file: Buffer,
  fields: Record<string, string> = {},
  path = 'audio/transcriptions',
): Promise<Heard> {
  const all = { model: RECOGNISER, ...fields };
  return page.evaluate(
    async ([base64, entries, endpoint]) => {
      const form = new FormData();
      form.append('file', await (await fetch(`data:;base64,${base64}`)).blob(), 'sound');
      for (const [name, value] of Object.entries(entries)) form.append(name, value);
      const { baseURL, apiKey } = window.v1;
      const response = await fetch(`${baseURL}/${endpoint}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}` },
        body: form,
      });
      return { status: response.status, text: await response.text() };
    },
    [file.toString('base64'), all, path] as const,
  );
}
