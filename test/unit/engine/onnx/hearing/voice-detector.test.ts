import { expect, test } from 'vitest';
import { VoiceDetector } from '../../../../../src/engine/onnx/hearing/voice-detector.ts';
import { NEVER } from '../../../support/never.ts';

const RATE = 16_000;

/** Four seconds: first this many of silence, then a tone. */
function soundAfter(silence: number): Float32Array {
  return Float32Array.from({ length: 4 * RATE }, (_, at) =>
    at < silence * RATE ? 0 : 0.3 * Math.sin(at / 10),
  );
}

/** Seconds that can be skipped. */
async function skipped(silence: number, hears: (at: number) => number, load = true) {
  let at = 0;
  const listen = () => (part: Float32Array) => {
    at += part.length;
    return Promise.resolve(hears(at / RATE));
  };
  const detector = new VoiceDetector(() =>
    load ? Promise.resolve({ listen }) : Promise.reject(new Error('The site lacks it.')),
  );
  return (await detector.skippable(soundAfter(silence), RATE, NEVER)) / RATE;
}

const everywhere = () => 1;
const nowhere = () => 0;

test('what comes before the voice can be skipped, but for half a second', async () => {
  expect(await skipped(2, everywhere)).toBeCloseTo(1.5, 1);
  // The detector is asked from 0.87 s on, 0.13 s before the sound, and hears a voice 2 s later.
  expect(await skipped(1, (after) => (after > 2 ? 1 : 0))).toBeCloseTo(2.37, 1);
});

test('less than a second is heard with what follows: a turn costs more', async () => {
  expect(await skipped(0, everywhere)).toBe(0);
  expect(await skipped(1.4, everywhere)).toBe(0);
  expect(await skipped(0, (after) => (after > 1.4 ? 1 : 0))).toBe(0);
});

test('all can be skipped where nobody speaks', async () => {
  expect(await skipped(0, nowhere)).toBe(4);
  expect(await skipped(4, everywhere)).toBe(4);
});

test('without the detector, what is silent can be skipped', async () => {
  expect(await skipped(2, nowhere, false)).toBeCloseTo(1.5, 1);
  expect(await skipped(0, nowhere, false)).toBe(0);
});
