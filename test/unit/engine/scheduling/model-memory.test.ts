import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serverError } from '../../../../src/core/errors/errors.ts';
import { ModelMemory } from '../../../../src/engine/scheduling/model-memory.ts';
import { NEVER } from '../../support/never.ts';

const BUDGET = 100;

const log: string[] = [];
beforeEach(() => void (log.length = 0));
afterEach(() => vi.useRealTimers());

interface Site {
  budget?: () => Promise<number>;
  unloadAfterMs?: number;
  /** What loading a model does, besides being recorded. */
  load?: (id: string) => Promise<void>;
}

/** A memory for 100 bytes, and how models are used in it. */
function open({ budget = async () => BUDGET, unloadAfterMs = Infinity, load }: Site = {}) {
  const memory = new ModelMemory({ budget, unloadAfterMs });
  const model = (id: string, bytes: number) => ({
    id,
    bytes,
    load: async () => {
      log.push(`+${id}`);
      await load?.(id);
    },
    unload: async () => void log.push(`-${id}`),
  });
  const hold = async (id: string, bytes = 40, signal = NEVER) =>
    memory.hold(id) ?? memory.load(model(id, bytes), signal);
  const use = async (...args: Parameters<typeof hold>) => (await hold(...args))();
  return { memory, hold, use };
}

/** Whether the promise is still pending when everything else has happened. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const done = vi.fn<() => void>();
  promise.then(done, done);
  await new Promise((resolve) => setImmediate(resolve));
  return done.mock.calls.length === 0;
}

describe('the extra memory of running models', () => {
  /** Two models of 30 bytes, each with 15 more; the first was used last. */
  async function openWithExtras() {
    const { memory, use } = open();
    const extras = new Map([
      ['a', 15],
      ['b', 15],
    ]);
    for (const id of extras.keys()) {
      const extra = {
        bytes: () => extras.get(id) ?? 0,
        release: () => {
          log.push(`/${id}`);
          extras.set(id, 0);
        },
      };
      const loading = {
        load: () => Promise.resolve(),
        unload: async () => void log.push(`-${id}`),
      };
      (await memory.load({ id, bytes: 30, extra, ...loading }, NEVER))();
    }
    memory.hold('a')?.();
    return { memory, use };
  }

  test('is freed before a model is unloaded, least recently used models first', async () => {
    const { use } = await openWithExtras();
    await use('c', 20);
    expect(log).toEqual(['/b', '+c']);
    await use('d', 20);
    expect(log).toEqual(['/b', '+c', '/a', '+d']);
    await use('e', 20);
    expect(log).toEqual(['/b', '+c', '/a', '+d', '-b', '+e']);
  });

  test('counts when more memory is requested', async () => {
    const { memory } = await openWithExtras();
    expect(await memory.hasRoom(10)).toBe(true);
    expect(await memory.hasRoom(11)).toBe(false);
  });

  test('can leave a quarter of the budget to other models', async () => {
    const hasRoom = (bytes: number) => open().memory.hasRoom(bytes, true);
    expect([await hasRoom(75), await hasRoom(76)]).toEqual([true, false]);
  });

  test('has no room while a model is being loaded', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { memory, hold } = open({ load: () => promise });
    const loading = hold('a', 90);
    await isPending(loading);
    expect(await memory.hasRoom(11)).toBe(false);
    resolve();
    (await loading)();
    expect(await memory.hasRoom(10)).toBe(true);
  });
});

describe('models that fit', () => {
  test('are loaded once and stay', async () => {
    const { use } = open();
    for (const id of ['a', 'b', 'a', 'b']) await use(id);
    expect(log).toEqual(['+a', '+b']);
  });

  test('are loaded one at a time, and once for all requests', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { use } = open({ load: () => promise });
    const all = Promise.all([use('a'), use('a'), use('b')]);
    expect(await isPending(all)).toBe(true);
    expect(log).toEqual(['+a']);
    resolve();
    await all;
    expect(log).toEqual(['+a', '+b']);
  });

  test('are loaded without asking for the budget if there is only one', async () => {
    const { use } = open({ budget: () => Promise.reject(new Error('asked')) });
    await use('a', 1e12);
    await expect(use('b')).rejects.toThrow('asked');
  });
});

describe('a model that does not fit', () => {
  test('replaces the least recently used models', async () => {
    const { use } = open();
    for (const id of ['a', 'b', 'a', 'c']) await use(id);
    expect(log).toEqual(['+a', '+b', '-b', '+c']);
  });

  test('even alone is loaded without any other', async () => {
    const { use } = open();
    await use('a', 10);
    await use('b', 10);
    await use('huge', 1000);
    expect(log).toEqual(['+a', '+b', '-a', '-b', '+huge']);
    await use('a', 10);
    expect(log.slice(-2)).toEqual(['-huge', '+a']);
  });

  test('replaces a model without waiting requests, if there is one', async () => {
    const { memory, use } = open();
    await use('a');
    await use('b');
    const over = memory.expect('a');
    await use('c');
    expect(log).toEqual(['+a', '+b', '-b', '+c']);
    over();
    await use('c');
    await use('b');
    expect(log.slice(4)).toEqual(['-a', '+b']);
  });

  test('waits for a running answer', async () => {
    const { hold, use } = open();
    const release = await hold('a', 80);
    const next = use('b');
    expect(await isPending(next)).toBe(true);
    release();
    await next;
    expect(log).toEqual(['+a', '-a', '+b']);
  });

  test('does not wait forever: a model that is to be unloaded takes no more requests', async () => {
    const { memory, hold, use } = open();
    const release = await hold('a', 80);
    const next = hold('b', 80);
    await isPending(next);
    expect(memory.hold('a')).toBeUndefined();
    const again = use('a', 80);
    release();
    (await next)();
    await again;
    expect(log).toEqual(['+a', '-a', '+b', '-b', '+a']);
  });

  test('leaves the other in memory if the request is cancelled', async () => {
    const { memory, hold, use } = open();
    const release = await hold('a', 80);
    const controller = new AbortController();
    const next = use('b', 80, controller.signal);
    await isPending(next);
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    memory.hold('a')?.();
    release();
    await use('a', 80);
    expect(log).toEqual(['+a']);
  });
});

describe('a load', () => {
  test('that runs out of memory is tried once more, alone', async () => {
    let failures = 1;
    const load = async (id: string) => {
      if (id === 'c' && failures-- > 0) throw serverError('out_of_memory', 'full');
    };
    const { use } = open({ load });
    for (const id of ['a', 'b', 'c']) await use(id, 10);
    expect(log).toEqual(['+a', '+b', '+c', '-a', '-b', '+c']);
  });

  test('that fails even alone has failed', async () => {
    const { memory, use } = open({
      load: (id) =>
        id === 'a' ? Promise.resolve() : Promise.reject(serverError('out_of_memory', 'full')),
    });
    await use('a', 10);
    await expect(use('b', 10)).rejects.toThrow('full');
    await expect(use('b', 10)).rejects.toThrow('full');
    expect(log).toEqual(['+a', '+b', '-a', '+b', '+b']);
    expect(memory.has('b')).toBe(false);
  });

  test('that fails for another reason unloads nothing', async () => {
    const { use } = open({
      load: (id) => (id === 'a' ? Promise.resolve() : Promise.reject(new Error('broken'))),
    });
    await use('a');
    await expect(use('b')).rejects.toThrow('broken');
    await use('a');
    expect(log).toEqual(['+a', '+b']);
  });
});

describe('unloading', () => {
  test('waits for running answers; a model that is not loaded needs no wait', async () => {
    const { memory, hold } = open();
    await memory.unload('a', NEVER);
    const releases = [await hold('a'), await hold('a')];
    const unloading = memory.unload('a', NEVER);
    releases[0]?.();
    // A second time says nothing new.
    releases[0]?.();
    expect(await isPending(unloading)).toBe(true);
    releases[1]?.();
    await unloading;
    expect([log, memory.has('a')]).toEqual([['+a', '-a'], false]);
  });

  test('of a model whose worker has ended is complete', async () => {
    const { memory, hold, use } = open();
    const release = await hold('a');
    const unloading = memory.unload('a', NEVER);
    await isPending(unloading);
    memory.forget('a');
    release();
    await unloading;
    await use('a');
    expect(log).toEqual(['+a', '+a']);
  });
});

describe('a model without work', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

  test('is unloaded after a while, and loaded again on request', async () => {
    const { memory, use } = open({ unloadAfterMs: 1000 });
    await use('a');
    await vi.advanceTimersByTimeAsync(999);
    await use('a');
    await vi.advanceTimersByTimeAsync(999);
    expect(memory.has('a')).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(log).toEqual(['+a', '-a']);
    await use('a');
    expect(log).toEqual(['+a', '-a', '+a']);
  });

  test('has neither running answers nor waiting requests', async () => {
    const { memory, hold } = open({ unloadAfterMs: 1000 });
    const release = await hold('a');
    await vi.advanceTimersByTimeAsync(5000);
    const over = memory.expect('a');
    release();
    await vi.advanceTimersByTimeAsync(5000);
    expect(log).toEqual(['+a']);
    over();
    await vi.advanceTimersByTimeAsync(1000);
    expect(log).toEqual(['+a', '-a']);
  });

  test('is unloaded at once if the time is 0, and never if it is longer than any timer', async () => {
    const short = open({ unloadAfterMs: 0 });
    await short.use('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(log).toEqual(['+a', '-a']);
    for (const unloadAfterMs of [Infinity, 2 ** 31]) {
      const { memory, use } = open({ unloadAfterMs });
      await use('a');
      await vi.advanceTimersByTimeAsync(2 ** 31);
      expect(memory.has('a')).toBe(true);
    }
  });
});
