/**
 * Prints as JSON how many seconds of audio the MP3 encoder encodes in a second of processor time. Elapsed
 * time would depend on what else runs on the machine.
 */
import { readFileSync } from 'node:fs';
import { Mp3File } from '../../src/engine/onnx/speech/sound/mp3-file.ts';
import { median } from '../statistics.ts';

const SAMPLE_RATE = 24_000;
/** A minute of audio, in pieces as long as a sentence. */
const SENTENCE_SECONDS = 4;
const SENTENCES = 15;
const RUNS = 3;

/** Sound that is more work for an encoder than speech: loud and soft, high and low, with noise. */
function sound(): Float32Array {
  let seed = 1;
  const noise = () => (seed = (seed * 48_271) % 0x7fffffff) / 0x7fffffff - 0.5;
  return Float32Array.from({ length: SENTENCE_SECONDS * SAMPLE_RATE }, (_, at) => {
    const seconds = at / SAMPLE_RATE;
    const loudness = 0.5 + 0.5 * Math.sin(2 * Math.PI * 4 * seconds);
    const voice = [1, 2, 3, 5, 8].map((n) => Math.sin(2 * Math.PI * 180 * n * seconds) / n);
    return loudness * (0.3 * voice.reduce((sum, tone) => sum + tone, 0) + 0.2 * noise());
  });
}

const path = new URL('../../node_modules/wasm-media-encoders/wasm/mp3.wasm', import.meta.url);
const encoder = await WebAssembly.compile(readFileSync(path));
const samples = sound();

async function encodeMinute(): Promise<number> {
  const begun = process.cpuUsage();
  const file = await Mp3File.open(encoder, SAMPLE_RATE);
  for (let n = 0; n < SENTENCES; n++) file.encode(samples);
  file.finish();
  return process.cpuUsage(begun).user / 1e6;
}

await encodeMinute();
const times: number[] = [];
for (let n = 0; n < RUNS; n++) times.push(await encodeMinute());
const report = { times_real_time: (SENTENCES * SENTENCE_SECONDS) / median(times) };
process.stdout.write(`${JSON.stringify(report)}\n`);
