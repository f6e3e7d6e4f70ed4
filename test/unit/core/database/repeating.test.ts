import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeating } from '../../../../src/core/database/repeating.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that fails so many times. */
function failing(times: number) {
  let left = times;
  return vi.fn<() => Promise<void>>(async () => {
    if (left-- > 0) throw new Error('Not yet.');
  });
}

test('work that fails is repeated until it succeeds, and then no more', async () => {
  const work = failing(5);
  repeating(work)();
  await vi.runAllTimersAsync();
  expect(work).toHaveBeenCalledTimes(6);
});

test('the wait after each failure is twice as long, and at most a minute', async () => {
  const times: number[] = [];
  const begin = Date.now();
  const work = failing(12);
  repeating(() => {
    times.push(Date.now() - begin);
    return work();
  })();
  await vi.runAllTimersAsync();
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(waits.slice(0, 3)).toEqual([100, 200, 400]);
  expect(waits.at(-1)).toBe(60_000);
});

test('a call during the work does it once more, however many calls there are', async () => {
  const first = Promise.withResolvers<void>();
  const work = vi.fn<() => Promise<void>>(() => first.promise);
  const run = repeating(work);
  for (let count = 0; count < 3; count++) run();
  expect(work).toHaveBeenCalledTimes(1);
  first.resolve();
  await vi.runAllTimersAsync();
  expect(work).toHaveBeenCalledTimes(2);
  run();
  await vi.runAllTimersAsync();
  expect(work).toHaveBeenCalledTimes(3);
});
