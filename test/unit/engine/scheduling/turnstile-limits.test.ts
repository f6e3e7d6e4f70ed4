import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Turnstile, type TurnLimits } from '../../../../src/engine/scheduling/turnstile.ts';
import { NEVER } from '../../support/never.ts';

/** Waits until everything has happened that needs no client to leave. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a full queue', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());

  const REFUSED = { data: { status: 429, type: 'requests', code: 'rate_limit_exceeded' } };

  /** A turnstile whose turns have taken this long, with one request of `a` inside. */
  async function busy(limits: Partial<TurnLimits>, turnMs = 5_000) {
    const turns = new Turnstile(limits);
    for (let turn = 0; turn < 40; turn++) {
      const leaveTurn = await turns.enter('a', NEVER);
      vi.advanceTimersByTime(turnMs);
      leaveTurn();
    }
    const leave = await turns.enter('a', NEVER);
    return { turns, leave };
  }

  test('refuses with 429, and takes the next one when a place is free', async () => {
    const { turns, leave } = await busy({ waiting: 1 });
    const controller = new AbortController();
    const waiting = turns.enter('b', controller.signal);
    await expect(turns.enter('c', NEVER)).rejects.toMatchObject(REFUSED);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    const next = turns.enter('c', NEVER);
    leave();
    await expect(next).resolves.toBeTypeOf('function');
  });

  test('is never full for a client without requests', async () => {
    const { turns } = await busy({ waiting: 12, perClient: 100 });
    for (const client of ['a', 'b', 'c']) {
      // Each client sends as many requests as are accepted.
      for (let request = 0; request < 100; request++)
        turns.enter(client, NEVER).catch(() => undefined);
    }
    const refused = vi.fn<() => void>();
    turns.enter('d', NEVER).catch(refused);
    await settled();
    expect(refused).not.toHaveBeenCalled();
  });

  test('gives one client no more places than its limit, running and waiting together', async () => {
    const { turns, leave } = await busy({ perClient: 3 });
    const waiting = [turns.enter('a', NEVER), turns.enter('a', NEVER)];
    await expect(turns.enter('a', NEVER)).rejects.toMatchObject(REFUSED);
    await expect(turns.enter('a', NEVER)).rejects.toThrow(/3 requests under way/);
    const other = turns.enter('b', NEVER);
    leave();
    (await other)();
    await expect(waiting[0]).resolves.toBeTypeOf('function');
    void turns.enter('a', NEVER);
    await expect(turns.enter('a', NEVER)).rejects.toMatchObject(REFUSED);
  });

  test('estimates the time to retry: one measured turn of each waiting client', async () => {
    const { turns } = await busy({ perClient: 2 });
    void turns.enter('a', NEVER);
    await expect(turns.enter('a', NEVER)).rejects.toMatchObject({
      data: { retryAfterMs: expect.closeTo(5_000, -1) },
    });
    void turns.enter('b', NEVER);
    void turns.enter('c', NEVER);
    await expect(turns.enter('a', NEVER)).rejects.toMatchObject({
      data: { retryAfterMs: expect.closeTo(15_000, -1) },
    });
  });

  test('never tells a client to retry at once', async () => {
    const { turns } = await busy({ perClient: 1 }, 0);
    await expect(turns.enter('a', NEVER)).rejects.toMatchObject({ data: { retryAfterMs: 100 } });
  });
});
