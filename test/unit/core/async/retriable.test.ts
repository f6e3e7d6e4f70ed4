import { expect, test, vi } from 'vitest';
import { retriable } from '../../../../src/core/async/retriable.ts';

test('is done once for all who want its result', async () => {
  const work = vi.fn(() => Promise.resolve({}));
  const get = retriable(work);
  const [a, b] = await Promise.all([get(), get()]);
  expect(a).toBe(b);
  expect(await get()).toBe(a);
  expect(work).toHaveBeenCalledOnce();
});

test('fails for all who wait, and is tried again for the next one', async () => {
  const work = vi.fn<() => Promise<string>>();
  work.mockRejectedValueOnce(new Error('503')).mockResolvedValueOnce('done');
  const get = retriable(work);
  const waiting = [get(), get()];
  for (const one of waiting) await expect(one).rejects.toThrow('503');
  expect(await get()).toBe('done');
  expect(work).toHaveBeenCalledTimes(2);
});

test('is tried again after it had no result', async () => {
  const work = vi.fn<() => Promise<string | undefined>>();
  work.mockResolvedValueOnce(undefined).mockResolvedValueOnce('done');
  const get = retriable(work);
  expect(await get()).toBeUndefined();
  expect(await get()).toBe('done');
  expect(await get()).toBe('done');
  expect(work).toHaveBeenCalledTimes(2);
});
