import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whileSlow } from '../../../../src/core/async/while-slow.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<never>(() => undefined);

test('a promise that settles soon is not looked at, then or later', async () => {
  const look = vi.fn(() => Promise.resolve());
  expect(await whileSlow(Promise.resolve('done'), look)).toBe('done');
  await expect(whileSlow(Promise.reject(new Error('broken')), look)).rejects.toThrow('broken');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(look).not.toHaveBeenCalled();
});

test('a slow promise is looked at again and again, one look at a time, until it settles', async () => {
  const slow = Promise.withResolvers<string>();
  const looks: PromiseWithResolvers<void>[] = [];
  const look = () => {
    const looking = Promise.withResolvers<void>();
    looks.push(looking);
    return looking.promise;
  };
  const result = whileSlow(slow.promise, look);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks.length).toBe(1);
  looks[0]?.resolve();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks.length).toBe(2);
  slow.resolve('late');
  expect(await result).toBe('late');
  looks[1]?.resolve();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks.length).toBe(2);
});

test('what a look finds ends the wait', async () => {
  const result = whileSlow(never, () => Promise.reject(new Error('The server is gone.')));
  const failed = expect(result).rejects.toThrow('The server is gone.');
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
});
