import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Turnstile } from '../../../../src/engine/scheduling/turnstile.ts';
import { NEVER } from '../../support/never.ts';

/**
 * Enters, and logs the name once inside. `a2` is a request of the client `a`; `a2*` continues from the KV
 * cache.
 */
async function enter(turns: Turnstile, name: string, log: string[], signal = NEVER) {
  const leave = await turns.enter(name.slice(0, 1), signal, { isWarm: () => name.endsWith('*') });
  log.push(name);
  return leave;
}

/** Waits until everything has happened that needs no client to leave. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The order in which requests are served that arrive while the first one runs. */
async function orderOf(...names: string[]): Promise<string> {
  const turns = new Turnstile();
  const log: string[] = [];
  const leaving = names.map((name) => enter(turns, name, log));
  while (log.length < names.length) {
    await settled();
    const last = log.at(-1);
    if (last !== undefined) (await leaving[names.indexOf(last)])?.();
  }
  return log.join(' ');
}

describe('the turnstile', () => {
  test('tells a waiting request how many are before it, whenever that changes', async () => {
    const turns = new Turnstile();
    const places: number[] = [];
    const leaving = new AbortController();
    const first = await turns.enter('a', NEVER);
    const waiting = ['a', 'b', 'c'].map((client) => turns.enter(client, NEVER));
    const aborted = turns.enter('d', leaving.signal);
    const told = turns.enter('c', NEVER, { onPlace: (before) => places.push(before) });
    expect(places).toEqual([5]);
    leaving.abort();
    await expect(aborted).rejects.toThrow();
    expect(places).toEqual([5, 4]);
    first();
    for (const served of [waiting[1], waiting[2], waiting[0]]) (await served)?.();
    expect(places).toEqual([5, 4, 3, 2, 1]);
    (await told)();
  });

  test('serves one at a time, in order of arrival', async () => {
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

  test('lets no request in between the end of a turn and the next turn', async () => {
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

  test('ends a turn only once if it begins at the moment of its abort', async () => {
    const turns = new Turnstile({ waiting: 3 });
    const log: string[] = [];
    const leave = await enter(turns, 'a1', log);
    const stopping = new AbortController();
    const second = enter(turns, 'b1', log, stopping.signal);
    void enter(turns, 'b2', log);
    leave();
    stopping.abort();
    await second;
    // b2 waits: there are two places more.
    void enter(turns, 'c1', log);
    void enter(turns, 'd1', log);
    await expect(turns.enter('e', NEVER)).rejects.toMatchObject({ data: { status: 429 } });
  });

  test('is free again when no request waits', async () => {
    const turns = new Turnstile();
    const log: string[] = [];
    (await enter(turns, 'a', log))();
    (await enter(turns, 'b', log))();
    expect(log).toEqual(['a', 'b']);
  });

  test('forgets a request that is aborted while it waits', async () => {
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

  test('never begins a turn for a request that was aborted before', async () => {
    const turns = new Turnstile();
    await expect(turns.enter('a', AbortSignal.abort(new Error('early')))).rejects.toThrow('early');
    const log: string[] = [];
    await enter(turns, 'a', log);
    expect(log).toEqual(['a']);
  });
});

describe('clients', () => {
  test('take turns, each with its requests in order', async () => {
    expect(await orderOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1')).toBe('a1 b1 c1 a2 b2 a3');
  });

  test('that arrive while another runs are served before it runs again', async () => {
    expect(await orderOf('a1', 'a2', 'b1')).toBe('a1 b1 a2');
  });

  test('whose requests continue the KV cache come first', async () => {
    expect(await orderOf('a1', 'b1', 'c1', 'a2*', 'd1*')).toBe('a1 d1* a2* b1 c1');
    expect(await orderOf('a1', 'b1', 'b2*', 'c1*')).toBe('a1 c1* b1 b2*');
  });

  test('overtake no other more than twice', async () => {
    expect(await orderOf('a1', 'b1', 'a2*', 'a3*', 'a4*', 'a5*')).toBe('a1 a2* a3* b1 a4* a5*');
    const order = await orderOf('a1', 'b1', 'c1', 'b2', 'a2*', 'a3*', 'a4*', 'a5*', 'a6*', 'a7*');
    expect(order).toBe('a1 a2* a3* b1 c1 a4* a5* a6* b2 a7*');
  });

  test.each([
    [1, 'nothing goes on from the KV cache', fc.constant(false)],
    [3, 'some requests do', fc.boolean()],
  ])('never wait for more than %i turns of another one where %s', async (most, _what, warmth) => {
    const client = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    // One client asks for far more than the others.
    const greedy = fc.oneof(
      { weight: 4, arbitrary: fc.constant('a') },
      { weight: 1, arbitrary: client },
    );
    const step = fc.oneof(
      fc.record({ kind: fc.constant('enter' as const), client: greedy, isWarm: warmth }),
      fc.record({ kind: fc.constant('leave' as const) }),
      fc.record({ kind: fc.constant('abort' as const), which: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const turns = new Turnstile();
        const observer = new Observer();
        const waiting: { client: string; controller: AbortController }[] = [];
        let leave: (() => void) | undefined;
        const arrive = (name: string, isWarm: boolean) => {
          const controller = new AbortController();
          const request = { client: name, controller };
          waiting.push(request);
          observer.arrived(name);
          turns.enter(name, controller.signal, { isWarm: () => isWarm }).then(
            (leaveTurn) => {
              expect(leave).toBeUndefined();
              // First come, first served within one client.
              expect(waiting.find((other) => other.client === name)).toBe(request);
              waiting.splice(waiting.indexOf(request), 1);
              observer.began(name);
              leave = leaveTurn;
            },
            () => undefined,
          );
        };
        const end = () => {
          const ended = leave;
          leave = undefined;
          observer.ended();
          ended?.();
        };
        for (const each of steps) {
          if (each.kind === 'enter') arrive(each.client, each.isWarm);
          if (each.kind === 'leave') end();
          if (each.kind === 'abort' && waiting.length > 0) {
            const [gone] = waiting.splice(each.which % waiting.length, 1);
            gone?.controller.abort();
            if (gone) observer.gone(gone.client);
          }
          await settled();
        }
        for (let left = waiting.length; left >= 0; left--) {
          end();
          await settled();
        }
        expect(waiting).toEqual([]);
        expect(observer.mostTurnsOfOneOther).toBeLessThanOrEqual(most);
      }),
      { numRuns: 200 },
    );
  });
});

/** Counts, for each waiting client, the turns of every other client since its own last turn. */
class Observer {
  mostTurnsOfOneOther = 0;
  readonly #waiting = new Map<string, number>();
  readonly #turns = new Map<string, Map<string, number>>();
  #running: string | undefined;

  arrived(client: string): void {
    const count = this.#waiting.get(client) ?? 0;
    this.#waiting.set(client, count + 1);
    if (count === 0) this.#restart(client);
  }

  began(client: string): void {
    this.#running = client;
    this.gone(client);
    this.#restart(client);
    for (const [waiting, count] of this.#waiting) {
      if (waiting !== client && count > 0) this.#count(waiting, client);
    }
  }

  ended(): void {
    this.#running = undefined;
  }

  gone(client: string): void {
    this.#waiting.set(client, (this.#waiting.get(client) ?? 0) - 1);
  }

  #restart(client: string): void {
    this.#turns.set(client, new Map());
    // The rest of a turn counts as a turn.
    if (this.#running !== undefined && this.#running !== client) this.#count(client, this.#running);
  }

  #count(waiting: string, running: string): void {
    const turns = this.#turns.get(waiting);
    const count = (turns?.get(running) ?? 0) + 1;
    turns?.set(running, count);
    this.mostTurnsOfOneOther = Math.max(this.mostTurnsOfOneOther, count);
  }
}

test('a turn that is ended twice ends once', async () => {
  const turns = new Turnstile();
  const leave = await turns.enter('ann', NEVER);
  const second = turns.enter('bob', NEVER);
  let hasBegun = false;
  const third = turns.enter('cleo', NEVER).then(() => (hasBegun = true));
  leave();
  leave();
  const leaveSecond = await second;
  await Promise.resolve();
  expect(hasBegun).toBe(false);
  leaveSecond();
  await third;
});
