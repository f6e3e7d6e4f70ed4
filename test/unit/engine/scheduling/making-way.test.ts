import { describe, expect, test } from 'vitest';
import { Turnstile } from '../../../../src/engine/scheduling/turnstile.ts';
import { NEVER } from '../../support/never.ts';

/** Enters and writes its name down once inside. `a2` is a request of the client `a`. */
async function enter(turns: Turnstile, name: string, log: string[]) {
  const leave = await turns.enter(name.slice(0, 1), NEVER);
  log.push(name);
  return leave;
}

describe('a turn that makes way', () => {
  /** `a1` has the turn, and the others wait. */
  async function waiting(...names: string[]) {
    const turns = new Turnstile({ waiting: names.length, perClient: 2 });
    const log: string[] = [];
    const leave = await enter(turns, 'a1', log);
    const entering = names.map((name) => enter(turns, name, log));
    return { turns, log, leave, entering };
  }

  test('is followed by those of other clients, and by the rest before what its client sent later', async () => {
    const { turns, log, leave, entering } = await waiting('a2', 'b1', 'c1');
    // The queue is full, and its client has as many requests as it may have.
    const rest = turns.makeWay('a', leave, NEVER).then((leaveAgain) => {
      log.push('rest of a1');
      return leaveAgain;
    });
    for (const turn of [entering[1], entering[2], rest, entering[0]]) (await turn)?.();
    expect(log).toEqual(['a1', 'b1', 'c1', 'rest of a1', 'a2']);
  });

  test('goes on at once if nobody waits any more', async () => {
    const { turns, log, leave } = await waiting();
    (await turns.makeWay('a', leave, NEVER))();
    await enter(turns, 'b1', log);
    expect(log).toEqual(['a1', 'b1']);
  });

  test('leaves the queue if its rest is aborted', async () => {
    const { turns, log, leave, entering } = await waiting('b1', 'a2');
    const leaving = new AbortController();
    const rest = turns.makeWay('a', leave, leaving.signal);
    leaving.abort(new Error('no patience'));
    await expect(rest).rejects.toThrow('no patience');
    for (const turn of entering) (await turn)();
    expect(log).toEqual(['a1', 'b1', 'a2']);
  });

  test('is wanted only by another client whose request may come in between', async () => {
    const turns = new Turnstile();
    let mayInterrupt = false;
    await turns.enter('a', NEVER);
    expect(turns.isWanted).toBe(false);
    void turns.enter('a', NEVER, { mayInterrupt: () => true });
    expect(turns.isWanted).toBe(false);
    void turns.enter('b', NEVER, { mayInterrupt: () => mayInterrupt });
    expect(turns.isWanted).toBe(false);
    mayInterrupt = true;
    expect(turns.isWanted).toBe(true);
  });
});
