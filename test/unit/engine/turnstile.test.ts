import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Turnstile } from '../../../src/engine/turnstile.ts';

const NEVER = new AbortController().signal;

/** Enters and writes its name down once inside. */
async function enter(turns: Turnstile, name: string, log: string[], signal = NEVER) {
  const leave = await turns.enter(signal);
  log.push(name);
  return leave;
}

/** All that can happen without anybody leaving has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the turnstile', () => {
  test('lets in one at a time, in order of arrival', async () => {
    const turns = new Turnstile();
    const log: string[] = [];
    const entering = ['a', 'b', 'c'].map((name) => enter(turns, name, log));
    await settled();
    expect(log).toEqual(['a']);
    (await entering[0])?.();
    await settled();
    expect(log).toEqual(['a', 'b']);
    (await entering[1])?.();
    (await entering[2])?.();
    expect(log).toEqual(['a', 'b', 'c']);
  });

  test('lets nobody slip in between one leaving and the next one’s turn', async () => {
    const turns = new Turnstile();
    const log: string[] = [];
    const leave = await enter(turns, 'first', log);
    void enter(turns, 'waiting', log);
    await settled();
    leave();
    void enter(turns, 'late', log);
    await settled();
    expect(log).toEqual(['first', 'waiting']);
  });

  test('is free again when nobody waits', async () => {
    const turns = new Turnstile();
    const log: string[] = [];
    (await enter(turns, 'a', log))();
    (await enter(turns, 'b', log))();
    expect(log).toEqual(['a', 'b']);
  });

  test('forgets who gives up waiting', async () => {
    const turns = new Turnstile();
    const log: string[] = [];
    const leave = await enter(turns, 'a', log);
    const controller = new AbortController();
    const b = enter(turns, 'b', log, controller.signal);
    void enter(turns, 'c', log);
    controller.abort(new Error('no patience'));
    await expect(b).rejects.toThrow('no patience');
    leave();
    await settled();
    expect(log).toEqual(['a', 'c']);
  });

  test('does not even begin for who has given up before', async () => {
    const turns = new Turnstile();
    await expect(turns.enter(AbortSignal.abort(new Error('early')))).rejects.toThrow('early');
    const log: string[] = [];
    await enter(turns, 'a', log);
    expect(log).toEqual(['a']);
  });
});

describe('a full queue', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());

  test('refuses with 429, and takes the next one when a place is free', async () => {
    const turns = new Turnstile(1);
    const leave = await turns.enter(NEVER);
    const controller = new AbortController();
    const waiting = turns.enter(controller.signal);
    await expect(turns.enter(NEVER)).rejects.toMatchObject({
      data: { status: 429, type: 'requests', code: 'rate_limit_exceeded' },
    });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    const next = turns.enter(NEVER);
    leave();
    await expect(next).resolves.toBeTypeOf('function');
  });

  test('says after how long to come back, from how long turns take', async () => {
    const turns = new Turnstile(0);
    for (let turn = 0; turn < 40; turn++) {
      const leave = await turns.enter(NEVER);
      vi.advanceTimersByTime(5_000);
      leave();
    }
    await turns.enter(NEVER);
    const refused = turns.enter(NEVER);
    await expect(refused).rejects.toMatchObject({
      data: { retryAfterMs: expect.closeTo(5_000, -1) },
    });
  });
});
