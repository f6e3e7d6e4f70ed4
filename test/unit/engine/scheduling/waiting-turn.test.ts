import { expect, test } from 'vitest';
import { Turnstile } from '../../../../src/engine/scheduling/turnstile.ts';
import { waitingTurn } from '../../../../src/engine/scheduling/waiting-turn.ts';
import { NEVER } from '../../support/never.ts';

const queued = (before: number) => `${before} before`;

function waiting(turns: Turnstile, signal = NEVER, told: typeof queued | undefined = queued) {
  return waitingTurn((onPlace) => turns.enter('a', signal, { onPlace }), told);
}

test('a turn is waited for, with an event whenever its place changes', async () => {
  const turns = new Turnstile();
  const first = await turns.enter('b', NEVER);
  const second = turns.enter('b', NEVER);
  const events = waiting(turns);
  expect(await events.next()).toEqual({ value: '1 before', done: false });
  first();
  const { value: leave, done } = await events.next();
  expect(done).toBe(true);
  if (typeof leave === 'function') leave();
  (await second)();
});

test('without a wish for events there are none', async () => {
  const turns = new Turnstile();
  expect(await waiting(turns, NEVER, undefined).next()).toMatchObject({ done: true });
});

test('a wait that is aborted throws, and a turn that nobody takes is given back', async () => {
  const turns = new Turnstile();
  const first = await turns.enter('b', NEVER);
  const stopping = new AbortController();
  const aborted = waiting(turns, stopping.signal);
  await aborted.next();
  stopping.abort(new Error('stopped'));
  await expect(aborted.next()).rejects.toThrow('stopped');

  const left = waiting(turns);
  await left.next();
  await left.return(() => undefined);
  first();
  (await turns.enter('c', NEVER))();
});
