import { expect, test } from 'vitest';
import { Resampler } from '../../../../../../src/engine/onnx/hearing/sound/resampler.ts';

/** A tone of a second. */
function tone(hertz: number, sampleRate: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: sampleRate }, (_, index) =>
    Math.sin((2 * Math.PI * hertz * index) / sampleRate),
  );
}

/** The output for input in pieces of this length. */
function resampled(input: Float32Array<ArrayBuffer>, from: number, to: number, piece: number) {
  const resampler = new Resampler(from, to);
  const pieces: number[] = [];
  for (let at = 0; at < input.length; at += piece) {
    pieces.push(...resampler.push(input.slice(at, at + piece)));
  }
  return [...pieces, ...resampler.end()];
}

test.each([44_100, 48_000, 22_050, 8_000])('a tone at %i Hz stays the same tone', (rate) => {
  const output = resampled(tone(440, rate), rate, 16_000, 1_000);
  expect(Math.abs(output.length - 16_000)).toBeLessThan(3);
  const wanted = tone(440, 16_000);
  for (let index = 200; index < 15_800; index++) {
    expect(Math.abs((output[index] ?? 9) - (wanted[index] ?? 0))).toBeLessThan(0.01);
  }
});

test('what the output cannot hold is filtered out', () => {
  const output = resampled(tone(11_000, 48_000), 48_000, 16_000, 480);
  const loudest = output.slice(200, 15_800).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  expect(loudest).toBeLessThan(0.01);
});

test('it does not matter in which pieces the input comes', () => {
  const input = tone(700, 44_100);
  const whole = resampled(input, 44_100, 16_000, input.length);
  for (const [index, value] of resampled(input, 44_100, 16_000, 37).entries()) {
    expect(value).toBeCloseTo(whole[index] ?? 9, 5);
  }
});

test('at the same rate, nothing changes', () => {
  const input = tone(700, 16_000);
  expect(resampled(input, 16_000, 16_000, 512)).toEqual([...input]);
});
