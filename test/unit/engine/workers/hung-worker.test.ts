import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LOAD_TIMEOUT_MS } from '../../../../src/engine/scheduling/watchdog.ts';
import { NEVER } from '../../support/never.ts';
import { openPool, speakJob } from './pool-parts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<void>(() => undefined);

/** Hangs so many times, then works. */
function hanging(times: number): () => Promise<void> {
  return () => (times-- > 0 ? never() : Promise.resolve());
}

test.each([
  ['does not start', 'ready'],
  ['stops loading', 'load'],
])('a worker that %s once gets a successor, and the request is answered', async (_, what) => {
  const { typesOf, log } = openPool({ [what]: hanging(1) });
  const types = typesOf(speakJob());
  await vi.advanceTimersByTimeAsync(LOAD_TIMEOUT_MS);
  expect(await types).toEqual(['audio', 'audio']);
  expect(log).toEqual(['start', 'end', 'start']);
});

test.each([
  ['does not start', 'ready', "The worker of the model 'a' did not start in 120 seconds."],
  ['stops loading', 'load', 'The model made no progress in loading for 120 seconds.'],
])('if a second worker %s, the request fails and says so', async (_, what, message) => {
  const { typesOf, log } = openPool({ [what]: never });
  const failed = expect(typesOf(speakJob())).rejects.toMatchObject({
    data: { code: 'timeout', message },
  });
  await vi.advanceTimersByTimeAsync(2 * LOAD_TIMEOUT_MS);
  await failed;
  expect(log).toEqual(['start', 'end', 'start', 'end']);
});

test('a worker may finish with the database before it is ended', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { pool, typesOf, log } = openPool({ close: () => promise });
  await typesOf(speakJob());
  const unloading = pool.unload('a', NEVER);
  await vi.advanceTimersByTimeAsync(900);
  expect(log).toEqual(['start']);
  resolve();
  await unloading;
  expect(log).toEqual(['start', 'end']);
});

test('a worker that does not answer is ended all the same', async () => {
  const { pool, typesOf, log } = openPool({ close: never });
  await typesOf(speakJob());
  const unloading = pool.unload('a', NEVER);
  await vi.advanceTimersByTimeAsync(1_000);
  await unloading;
  expect(log).toEqual(['start', 'end']);
  expect(await typesOf(speakJob())).toEqual(['audio', 'audio']);
});
