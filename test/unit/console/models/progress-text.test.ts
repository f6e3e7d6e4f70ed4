import { expect, test } from 'vitest';
import { describeProgress } from '../../../../src/console/models/progress-text.ts';
import type { Progress } from '../../../../src/index.ts';

function progress(change: Partial<Progress>): Progress {
  return { model: 'a/b', stage: 'load', loadedBytes: 0, totalBytes: 0, text: '', ...change };
}

test('a download shows bytes, speed, time left and percent', () => {
  const speed = { bytesPerSecond: 12e6, secondsLeft: 5 };
  const part = { stage: 'download', loadedBytes: 30e6, totalBytes: 90e6, ...speed } as const;
  expect(describeProgress(progress(part))).toEqual({
    title: 'Downloading',
    detail: '30.0 of 90.0 MB · 12 MB/s · 5.0 s left',
    percent: '33%',
    fraction: 1 / 3,
  });
});

test('unknown speed and time, and a time of 0, are left out', () => {
  const part = progress({ stage: 'download', loadedBytes: 90e6, totalBytes: 90e6 });
  expect(describeProgress(part).detail).toBe('90.0 of 90.0 MB');
  const fast = { ...part, bytesPerSecond: 12e6, secondsLeft: 0 };
  expect(describeProgress(fast).detail).toBe('90.0 of 90.0 MB · 12 MB/s');
});

test('the engine’s own text replaces the stage’s title', () => {
  expect(describeProgress(progress({ text: 'Compiling shaders' })).title).toBe('Compiling shaders');
});

test('an unknown total is neither 0 nor 100 percent', () => {
  const { fraction, percent, detail } = describeProgress(progress({}));
  expect({ fraction, percent, detail }).toEqual({ fraction: null, percent: '', detail: '' });
});

test('a failure shows its reason', () => {
  const { title, detail } = describeProgress(progress({ stage: 'failed', text: 'No space.' }));
  expect({ title, detail }).toEqual({ title: 'Could not load', detail: 'No space.' });
});
