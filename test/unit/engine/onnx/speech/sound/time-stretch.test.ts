import { describe, expect, test } from 'vitest';
import { timeStretch } from '../../../../../../src/engine/onnx/speech/sound/time-stretch.ts';
import { fundamental, largestStep, rms, voiceLike } from '../tones.ts';

const SECONDS = 2;

describe.each([16_000, 24_000, 44_100])('at %i Hz', (sampleRate) => {
  const original = voiceLike(SECONDS, sampleRate);

  test.each([0.25, 0.5, 0.8, 1, 1.25, 2, 4])('tempo %d', (tempo) => {
    const stretched = timeStretch(original, sampleRate, tempo);
    expect(stretched.length).toBe(Math.round(original.length / tempo));
    const pitch = fundamental(stretched, sampleRate) / fundamental(original, sampleRate);
    expect(Math.abs(pitch - 1)).toBeLessThan(0.03);
    expect(rms(stretched) / rms(original)).toBeGreaterThan(0.8);
    expect(rms(stretched) / rms(original)).toBeLessThan(1.1);
    expect(largestStep(stretched)).toBeLessThan(2 * largestStep(original));
  });
});

test('an empty sound stays empty', () => {
  expect(timeStretch(new Float32Array(0), 24_000, 2)).toHaveLength(0);
});

test.each([1, 7, 100])('a sound of %i samples can be stretched', (length) => {
  const samples = new Float32Array(length).fill(0.1);
  expect(timeStretch(samples, 24_000, 0.25)).toHaveLength(length * 4);
});
