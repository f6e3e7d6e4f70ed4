import { describe, expect, test } from 'vitest';
import { ThreadChoice } from '../../../../../src/engine/llamacpp/worker/threads/thread-choice.ts';

/** The numbers of threads that steps are computed with, when a step takes `msOf` milliseconds. */
function run(choice: ThreadChoice, steps: number, msOf: (threads: number) => number): number[] {
  return Array.from({ length: steps }, () => {
    const { threads } = choice;
    choice.note(msOf(threads));
    return threads;
  });
}

/** An idle machine with this many cores, where no work is left to one thread. */
const idle = (cores: number) => (threads: number) => 40 / Math.min(threads, cores);
/** Threads that wait for a core spin. */
const busy = (threads: number) => (threads === 1 ? 40 : 700 * threads);

test('on an idle machine, more threads are tried as long as they help', () => {
  const choice = new ThreadChoice(8, 2);
  expect(run(choice, 7, idle(4))).toEqual([2, 2, 4, 4, 8, 8, 4]);
  expect(new Set(run(choice, 200, idle(4)))).toEqual(new Set([4]));
});

test('the most threads need not be a power of two', () => {
  const choice = new ThreadChoice(6, 1);
  expect(run(choice, 4, idle(6))).toEqual([2, 4, 6, 6]);
});

test('one thread is tried if two are the best of several', () => {
  const choice = new ThreadChoice(4, 1);
  expect(run(choice, 4, idle(2))).toEqual([2, 4, 1, 2]);
  expect(run(new ThreadChoice(2, 1), 3, idle(2))).toEqual([2, 1, 2]);
});

test('where the first step with more threads is hopeless, there is no second', () => {
  const choice = new ThreadChoice(4, 4);
  const msOf = (threads: number) => (threads > 2 ? 5000 : 40 / threads);
  expect(run(choice, 10, msOf)).toEqual([2, 2, 2, 2, 4, 1, 1, 1, 1, 2].slice(0, 10));
});

test('on a busy machine, one thread is chosen', () => {
  const choice = new ThreadChoice(4, 1);
  expect(run(choice, 4, busy)).toEqual([2, 4, 1, 1]);
});

test('until the choice is made, two threads are for steps that cannot be compared', () => {
  const choice = new ThreadChoice(4, 1);
  expect(choice.chosen).toBe(2);
  choice.note(40);
  expect(choice.chosen).toBe(2);
  run(choice, 3, busy);
  expect(choice.chosen).toBe(1);
  expect(new ThreadChoice(1, 1).chosen).toBe(1);
});

test('threads that hardly help are left to others', () => {
  const choice = new ThreadChoice(2, 2);
  expect(run(choice, 5, (threads) => (threads === 1 ? 40 : 38))).toEqual([2, 2, 1, 1, 1]);
});

describe('when the machine changes', () => {
  test('threads that slow down are taken back', () => {
    const choice = new ThreadChoice(2, 2);
    run(choice, 20, idle(2));
    expect(choice.threads).toBe(2);
    const after = run(choice, 20, busy);
    expect(after.filter((threads) => threads === 2).length).toBeLessThanOrEqual(5);
    expect(choice.threads).toBe(1);
  });

  test('a single slow step changes nothing', () => {
    const choice = new ThreadChoice(2, 2);
    run(choice, 20, idle(2));
    choice.note(5000);
    expect(run(choice, 20, idle(2))).toEqual(Array(20).fill(2));
  });

  test('more threads are tried again after a while, and then less and less often', () => {
    const choice = new ThreadChoice(2, 1);
    const all = run(choice, 4000, busy);
    const tries = all.flatMap((threads, step) => (threads === 2 ? [step] : []));
    expect(tries.length).toBeGreaterThan(2);
    expect(tries.length).toBeLessThan(6);
    run(choice, 4200, idle(2));
    expect(choice.threads).toBe(2);
  });

  test('after a change, more threads are soon tried again', () => {
    const choice = new ThreadChoice(2, 1);
    run(choice, 4000, busy);
    run(choice, 4200, idle(2));
    run(choice, 20, busy);
    expect(choice.threads).toBe(1);
    run(choice, 300, idle(2));
    expect(choice.threads).toBe(2);
  });
});

test('a single thread is never measured', () => {
  expect(run(new ThreadChoice(1, 4), 10, busy)).toEqual(Array(10).fill(1));
});
