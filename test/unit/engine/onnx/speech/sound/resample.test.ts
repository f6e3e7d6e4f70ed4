import { describe, expect, test } from 'vitest';
import { Resampler } from '../../../../../../src/engine/onnx/speech/sound/resample.ts';

/** A tone of full scale. */
function tone(hertz: number, rate: number, seconds = 0.5): Float32Array {
  return Float32Array.from({ length: Math.round(rate * seconds) }, (_, index) =>
    Math.sin((2 * Math.PI * hertz * index) / rate),
  );
}

/** @param lengths - how the sound is cut into pieces, in turns */
function resampled(samples: Float32Array, from: number, to: number, lengths: number[]): number[] {
  const resampler = new Resampler(from, to);
  const all: number[] = [];
  for (let at = 0, turn = 0; at < samples.length; turn++) {
    const end = at + (lengths[turn % lengths.length] ?? samples.length);
    all.push(...resampler.add(samples.slice(at, end)));
    at = end;
  }
  return [...all, ...resampler.finish()];
}

describe('a sound at another sample rate', () => {
  test.each([
    [44_100, 24_000],
    [22_050, 24_000],
    [16_000, 24_000],
    [48_000, 24_000],
  ])('is the same sound: %i to %i hertz', (from, to) => {
    const all = resampled(tone(1_000, from), from, to, [4_321]);
    const expected = tone(1_000, to);
    expect(Math.abs(all.length - expected.length)).toBeLessThanOrEqual(1);
    // At its ends, the tone begins and ends at once.
    const errors = all.slice(100, -100).map((sample, at) => sample - (expected[at + 100] ?? 0));
    expect(Math.max(...errors.map(Math.abs))).toBeLessThan(0.005);
  });

  test('has nothing of what the new rate cannot hold', () => {
    const all = resampled(tone(17_000, 44_100), 44_100, 24_000, [10_000]);
    expect(Math.max(...all.slice(100, -100).map(Math.abs))).toBeLessThan(0.01);
  });

  test('does not depend on how it is cut into pieces, empty ones included', () => {
    const sound = tone(440, 44_100, 0.1);
    const whole = resampled(sound, 44_100, 24_000, [sound.length]);
    for (const lengths of [[1], [7, 0, 1_000], [160]]) {
      const pieces = resampled(sound, 44_100, 24_000, lengths);
      expect(pieces).toHaveLength(whole.length);
      const errors = pieces.map((sample, at) => Math.abs(sample - (whole[at] ?? 0)));
      expect(Math.max(...errors)).toBeLessThan(1e-5);
    }
  });
});
