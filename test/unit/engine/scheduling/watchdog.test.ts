import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GENERATION_TIMEOUT_MS, watchOutput } from '../../../../src/engine/scheduling/watchdog.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Gives an output after each of these delays, milliseconds. */
async function collect(delays: number[], timeoutMs?: number): Promise<number[]> {
  const all: number[] = [];
  await watchOutput(async (onOutput) => {
    for (const ms of delays) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      onOutput();
      all.push(ms);
    }
  }, timeoutMs);
  return all;
}

const TIMEOUT = { data: { status: 500, code: 'timeout', retryable: false } };

describe('the watchdog', () => {
  test('passes on events that arrive in time, however long they take in total', async () => {
    const events = collect([90, 90, 90], 100);
    await vi.advanceTimersByTimeAsync(270);
    expect(await events).toEqual([90, 90, 90]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('fails with "timeout" if the first event does not arrive', async () => {
    const outcome = expect(collect([101], 100)).rejects.toMatchObject(TIMEOUT);
    await vi.advanceTimersByTimeAsync(100);
    await outcome;
  });

  test('fails with "timeout" if no more events arrive', async () => {
    const outcome = expect(collect([10, 101], 100)).rejects.toMatchObject(TIMEOUT);
    await vi.advanceTimersByTimeAsync(110);
    await outcome;
  });

  test('waits 120 seconds by default', async () => {
    const outcome = expect(collect([GENERATION_TIMEOUT_MS + 1])).rejects.toThrow(
      'The model gave no output for 120 seconds.',
    );
    await vi.advanceTimersByTimeAsync(120_000);
    await outcome;
  });

  test('passes on failures', async () => {
    const failing = watchOutput(() => Promise.reject(new Error('broken')), 100);
    await expect(failing).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });
});
