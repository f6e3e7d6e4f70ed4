import { expect, test } from 'vitest';
import { withPause } from '../../../../../../src/engine/onnx/speech/sound/pause.ts';
import { largestStep, voiceLike } from '../tones.ts';

const RATE = 24_000;

test('pieces with pauses join without a click, even if the sound was cut at a peak', () => {
  // A quarter of a period in, where the sound is loudest.
  const cut = voiceLike(0.5, RATE).subarray(43, 9_000);
  const joined = Float32Array.from([...withPause(cut, RATE, 0.2), ...withPause(cut, RATE, 0)]);
  expect(joined).toHaveLength(2 * cut.length + 0.2 * RATE);
  expect(largestStep(joined)).toBeLessThan(1.5 * largestStep(cut));
  expect(joined[0]).toBe(0);
  expect(joined.at(-1)).toBe(0);
});

test('the sound between the ends is unchanged', () => {
  const sound = voiceLike(0.5, RATE);
  expect(withPause(sound, RATE, 0.1).subarray(200, 11_800)).toEqual(sound.subarray(200, 11_800));
});

test.each([0, 1, 3])('a piece of %i samples keeps its length', (length) => {
  expect(withPause(new Float32Array(length).fill(1), RATE, 0)).toHaveLength(length);
});
