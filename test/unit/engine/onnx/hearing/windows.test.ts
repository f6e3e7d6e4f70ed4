import { describe, expect, test } from 'vitest';
import { compressionRatio } from '../../../../../src/engine/onnx/hearing/recogniser/compression-ratio.ts';
import { quietestPlace, soundStart } from '../../../../../src/engine/onnx/hearing/silence.ts';
import { splitAtTimes } from '../../../../../src/engine/onnx/hearing/recogniser/split-at-times.ts';
import { wordsOf } from '../../../../../src/engine/onnx/hearing/recogniser/words.ts';

/** The token of a time, seconds. */
const at = (seconds: number) => 1000 + Math.round(seconds / 0.02);
const split = (tokens: number[]) => splitAtTimes(tokens, 1000, 30);

test('two times in a row end one segment and begin another; the rest is for the next window', () => {
  const { segments, until } = split([at(0), 1, 2, at(4), at(5), 3, at(9), at(9), 4, 5]);
  expect(segments).toEqual([
    { start: 0, end: 4, from: 1, to: 3 },
    { start: 5, end: 9, from: 5, to: 6 },
  ]);
  expect(until).toBe(9);
});

test('a single time at the end says that nothing follows', () => {
  const { segments, until } = split([at(0), 1, at(4), at(4), 2, at(6)]);
  expect(segments.map(({ start, end }) => [start, end])).toEqual([
    [0, 4],
    [4, 6],
  ]);
  expect(until).toBe(30);
});

test('one segment is the whole window, with or without its end', () => {
  expect(split([at(1), 1, 2, at(3)])).toEqual({
    segments: [{ start: 1, end: 3, from: 1, to: 3 }],
    until: 30,
  });
  expect(split([at(1), 1, 2]).segments).toEqual([{ start: 1, end: 30, from: 1, to: 3 }]);
  expect(split([1, 2]).segments).toEqual([{ start: 0, end: 30, from: 0, to: 2 }]);
});

const TEXTS: Record<number, string> = { 1: ' Hel', 2: 'lo', 3: ',', 4: ' you', 5: ' -', 6: '中' };

test('words begin with a space, and take the punctuation that follows', () => {
  const tokens = [1, 2, 3, 4, 5].map((id) => ({ id, time: id / 10 }));
  const decode = (ids: number[]) => ids.map((id) => TEXTS[id]).join('');
  expect(wordsOf(tokens, 1, decode)).toEqual([
    { word: 'Hello,', start: 0.1, end: 0.4 },
    { word: 'you -', start: 0.4, end: 1 },
  ]);
});

test('where there are no spaces, each character is a word, also of several tokens', () => {
  const decode = (ids: number[]) => (ids.length === 1 && ids[0] === 7 ? '\u{FFFD}' : '中');
  const tokens = [6, 7, 8].map((id) => ({ id, time: id }));
  expect(wordsOf(tokens, 10, decode).map(({ word, start }) => [word, start])).toEqual([
    ['中', 6],
    ['中', 7],
  ]);
});

test('the first sound is found, also above a recording’s own noise', () => {
  const noise = Float32Array.from({ length: 32_000 }, (_, index) => 0.003 * Math.sin(index));
  expect(soundStart(noise, 16_000)).toBe(noise.length);
  const loud = noise.slice();
  for (let index = 20_000; index < 24_000; index++) loud[index] = 0.2 * Math.sin(index / 9);
  const sound = soundStart(loud, 16_000);
  expect(sound).toBeGreaterThan(19_500);
  expect(sound).toBeLessThanOrEqual(20_000);
  expect(soundStart(new Float32Array(0), 16_000)).toBe(0);
});

test('a text that repeats itself compresses well', async () => {
  expect(await compressionRatio('no, '.repeat(60))).toBeGreaterThan(10);
  expect(await compressionRatio(' seven blue lamps')).toBeLessThan(1);
});

describe('a window is cut', () => {
  const RATE = 16_000;
  /** Ten seconds of noise with these pauses: where they begin and end, seconds. */
  const noise = (pauses: [number, number][], level = 0) =>
    Float32Array.from({ length: 10 * RATE }, (_, index) => {
      const isPause = pauses.some(([from, to]) => index >= from * RATE && index < to * RATE);
      return (isPause ? level : 0.2) * (index % 2 === 0 ? 1 : -1);
    });
  const cut = (samples: Float32Array) => quietestPlace(samples, RATE) / RATE;

  test('in the middle of a pause', () => {
    expect(cut(noise([[7, 8]]))).toBeCloseTo(7.5, 1);
    expect(cut(noise([[7, 8]], 0.05))).toBeCloseTo(7.5, 1);
  });

  test('at the longest pause of its second half', () => {
    const pauses: [number, number][] = [
      [1, 4],
      [5.5, 6.2],
      [8, 9],
    ];
    expect(cut(noise(pauses))).toBeCloseTo(8.5, 1);
  });

  test('within it, even if there is no pause', () => {
    expect(cut(noise([]))).toBeGreaterThanOrEqual(5);
    expect(cut(noise([]))).toBeLessThanOrEqual(10);
  });
});
