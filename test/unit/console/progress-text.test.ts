import { expect, test } from 'vitest';
import { ByteRate } from '../../../src/console/models/byte-rate.ts';
import { describeProgress } from '../../../src/console/models/progress-text.ts';
import type { Progress } from '../../../src/index.ts';

function progress(change: Partial<Progress>): Progress {
  return { model: 'a/b', stage: 'load', loadedBytes: 0, totalBytes: 0, text: '', ...change };
}

test('a download has bytes, speed, time left and percent', () => {
  const part = { stage: 'download', loadedBytes: 30e6, totalBytes: 90e6 } as const;
  expect(describeProgress(progress(part), 12e6)).toEqual({
    title: 'Downloading',
    detail: '30.0 of 90.0 MB · 12 MB/s · 5.0 s left',
    percent: '33 %',
    fraction: 1 / 3,
  });
});

test('speed and time are left out while they are not known, or mean nothing', () => {
  const part = progress({ stage: 'download', loadedBytes: 90e6, totalBytes: 90e6 });
  expect(describeProgress(part, 0).detail).toBe('90.0 of 90.0 MB');
  expect(describeProgress(part, 12e6).detail).toBe('90.0 of 90.0 MB · 12 MB/s');
  expect(describeProgress({ ...part, stage: 'load' }, 12e6).detail).toBe('90.0 of 90.0 MB');
});

test('the engine’s own words come before the stage', () => {
  expect(describeProgress(progress({ text: 'Compiling shaders' }), 0).title).toBe(
    'Compiling shaders',
  );
});

test('an unknown total is neither 0 nor 100 percent', () => {
  const { fraction, percent, detail } = describeProgress(progress({}), 0);
  expect({ fraction, percent, detail }).toEqual({ fraction: null, percent: '', detail: '' });
});

test('a failure shows its reason', () => {
  const { title, detail } = describeProgress(progress({ stage: 'failed', text: 'No space.' }), 0);
  expect({ title, detail }).toEqual({ title: 'Could not load', detail: 'No space.' });
});

test('a rate needs half a second, and forgets what is long ago', () => {
  const rate = new ByteRate();
  rate.add(0, 0);
  rate.add(100, 400);
  expect(rate.bytesPerSecond).toBe(0);
  rate.add(1000, 1000);
  expect(rate.bytesPerSecond).toBe(1000);
  for (let at = 2000; at <= 20_000; at += 1000) rate.add(1000, at);
  expect(rate.bytesPerSecond).toBe(0);
});

test('a rate begins anew when the count falls', () => {
  const rate = new ByteRate();
  rate.add(5000, 0);
  rate.add(9000, 1000);
  rate.add(0, 2000);
  rate.add(500, 3000);
  expect(rate.bytesPerSecond).toBe(500);
});
