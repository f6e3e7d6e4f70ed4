import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { WavFile } from '../src/engine/onnx/speech/sound/wav-file.ts';
import { call, withBrowser } from './browser.ts';
import type { DirectOnnxModel } from './direct/embed-messages.ts';
import { measured, type Reading } from './figures.ts';
import { bothSides, measurePairs, medianOfPairs, mediansBySide } from './pairs.ts';
import type { Launch } from './section.ts';

const MODEL = 'slashv1/tiny-hear';
const FIXTURES = new URL('../test/fixtures/', import.meta.url);
const RATE = 16_000;
/** Bytes of the header of the fixtures, which are 16-bit WAV files. */
const HEADER = 44;
const PAUSE_SECONDS = 1;

const CASES = [
  { name: 'window', seconds: 28, pairs: 4 },
  { name: 'minutes', seconds: 120, pairs: 2 },
];

const casesSchema = v.object({
  recordings: v.array(v.object({ file: v.string(), language: v.string() })),
});
const timedSchema = v.object({ ms: v.number(), text: v.pipe(v.string(), v.minLength(20)) });
const timedV1Schema = v.object({ ...timedSchema.entries, firstMs: v.number() });

/** Transcriptions through `/v1` beside transformers.js called directly, both on one thread. */
export function transcriptions({ origin, isSwapped, pairs }: Launch): Promise<Reading[]> {
  return withBrowser(async (browser) => {
    const page = await browser.open(`${origin}/slashv1/v1.html`);
    const model: DirectOnnxModel = {
      pack: `${origin}/slashv1/packs/tiny-hear/`,
      runtime: `${origin}/slashv1/onnx.wasm`,
    };
    const script = `${origin}/direct/hear-worker.js`;
    const start = {
      v1: () => page.evaluate(call('bench.startV1', MODEL, { speechThreads: 1 })),
      direct: () => page.evaluate(call('bench.startDirectHearing', script, model)),
    };
    await bothSides(start, isSwapped);
    const readings: Reading[] = [];
    let windowMs = 0;
    for (const { name, seconds, pairs: usual } of CASES) {
      const wav = speech(seconds);
      const sides = {
        v1: async () =>
          v.parse(timedV1Schema, await page.evaluate(call('bench.hearV1', MODEL, wav))),
        direct: async () => ({
          ...v.parse(timedSchema, await page.evaluate(call('bench.hearDirect', wav))),
          firstMs: 0,
        }),
      };
      await measurePairs(1, sides, isSwapped);
      const measuredPairs = await measurePairs(pairs ?? usual, sides, isSwapped);
      const { v1, direct } = mediansBySide(measuredPairs, ({ ms }) => ms);
      const ratio = medianOfPairs(measuredPairs, (pair) => pair.direct.ms / pair.v1.ms);
      const note = 'time of transformers.js ÷ time through /v1';
      readings.push(
        measured(`hear.${name}_ratio`, ratio, note),
        measured(`hear.${name}_v1_seconds_per_second`, (seconds * 1_000) / v1, 'of audio'),
        measured(`hear.${name}_direct_seconds_per_second`, (seconds * 1_000) / direct, 'of audio'),
      );
      if (windowMs === 0) windowMs = v1;
      else {
        const first = mediansBySide(measuredPairs, ({ firstMs }) => firstMs).v1;
        readings.push(measured('hear.first_delta_windows', first / windowMs));
      }
    }
    return readings;
  });
}

/** A WAV file with phrases in English, in base64. */
function speech(seconds: number): string {
  const text = readFileSync(new URL('tiny-hear-cases.json', FIXTURES), 'utf8');
  const { recordings } = v.parse(casesSchema, JSON.parse(text));
  const phrases = recordings
    .filter(({ language }) => language === 'en')
    .map(({ file }) => samplesOf(file));
  const samples = new Float32Array(seconds * RATE);
  let at = PAUSE_SECONDS * RATE;
  for (let place = 0; ; place++) {
    const phrase = phrases[place % phrases.length];
    if (!phrase || at + phrase.length > samples.length) break;
    samples.set(phrase, at);
    at += phrase.length + PAUSE_SECONDS * RATE;
  }
  const file = new WavFile(RATE);
  const bytes = file.encode(samples);
  return Buffer.concat([file.finish().header, bytes]).toString('base64');
}

function samplesOf(file: string): Float32Array {
  const bytes = Uint8Array.from(readFileSync(new URL(file, FIXTURES)).subarray(HEADER));
  return Float32Array.from(new Int16Array(bytes.buffer), (sample) => sample / 32_768);
}
