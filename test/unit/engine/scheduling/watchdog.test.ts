import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GENERATION_TIMEOUT_MS, watchdog } from '../../../../src/engine/scheduling/watchdog.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Yields each number after as many milliseconds; records when it is left. */
function source(delays: number[], left = vi.fn<() => void>()) {
  async function* events(): AsyncGenerator<number> {
    try {
      for (const ms of delays) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        yield ms;
      }
    } finally {
      left();
    }
  }
  return { events: events(), left };
}

async function collect(events: AsyncIterable<number>): Promise<number[]> {
  const all: number[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const TIMEOUT = { data: { status: 500, code: 'timeout', retryable: false } };

describe('the watchdog', () => {
  test('passes on events that arrive in time, however long they take in total', async () => {
    const events = collect(watchdog(source([90, 90, 90]).events, 100));
    await vi.advanceTimersByTimeAsync(270);
    expect(await events).toEqual([90, 90, 90]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('fails with "timeout" if the first event does not arrive', async () => {
    const outcome = expect(collect(watchdog(source([101]).events, 100))).rejects.toMatchObject(
      TIMEOUT,
    );
    await vi.advanceTimersByTimeAsync(100);
    await outcome;
  });

  test('fails with "timeout" if no more events arrive', async () => {
    const outcome = expect(collect(watchdog(source([10, 101]).events, 100))).rejects.toMatchObject(
      TIMEOUT,
    );
    await vi.advanceTimersByTimeAsync(110);
    await outcome;
  });

  test('waits 120 seconds by default', async () => {
    const outcome = expect(
      collect(watchdog(source([GENERATION_TIMEOUT_MS + 1]).events)),
    ).rejects.toThrow('The model gave no output for 120 seconds.');
    await vi.advanceTimersByTimeAsync(120_000);
    await outcome;
  });

  test('does not count its reader’s time', async () => {
    const events = watchdog(source([10, 10]).events, 100);
    const first = events.next();
    await vi.advanceTimersByTimeAsync(10);
    expect((await first).value).toBe(10);
    await vi.advanceTimersByTimeAsync(1_000);
    const second = events.next();
    await vi.advanceTimersByTimeAsync(10);
    expect((await second).value).toBe(10);
  });

  test('passes on failures', async () => {
    // oxlint-disable-next-line require-yield
    async function* failing(): AsyncGenerator<number> {
      throw new Error('broken');
    }
    await expect(collect(watchdog(failing(), 100))).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('tells the source when the reader leaves', async () => {
    const { events, left } = source([10, 10]);
    const reading = (async () => {
      for await (const _ of watchdog(events, 100)) break;
    })();
    await vi.advanceTimersByTimeAsync(10);
    await reading;
    expect(left).toHaveBeenCalledOnce();
  });
});
