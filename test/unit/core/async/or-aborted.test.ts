import { expect, test } from 'vitest';
import { orAborted } from '../../../../src/core/async/or-aborted.ts';

test('gives the promise’s result, and leaves no listener on the signal', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  signal.addEventListener = () => void listeners++;
  signal.removeEventListener = () => void listeners--;
  expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(orAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
  expect(listeners).toBe(0);
});

test('rejects with the reason when the signal aborts first', async () => {
  const leaving = new AbortController();
  const result = orAborted(new Promise(() => undefined), leaving.signal);
  leaving.abort(new Error('left'));
  await expect(result).rejects.toThrow('left');
});

test('a signal that has already aborted wins over a failure, which is not unhandled', async () => {
  const signal = AbortSignal.abort(new Error('left'));
  await expect(orAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('left');
});
