import { expect, test, vi } from 'vitest';
import { Permits } from '../../../../src/engine/weights/permits.ts';

const NEVER = new AbortController().signal;

/** Work that ends when it is told to. */
function open(permits: Permits, log: string[], name: string, signal = NEVER) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ended = permits.use(async () => {
    log.push(name);
    await promise;
  }, signal);
  return { ended, end: resolve, fail: reject };
}

/** Three who want the only place, of whom the second may leave. */
function threeForOne() {
  const log: string[] = [];
  const permits = new Permits(1);
  const leaving = new AbortController();
  const first = open(permits, log, 'first');
  const gone = open(permits, log, 'gone', leaving.signal);
  const last = open(permits, log, 'last');
  return { log, leaving, first, gone, last };
}

test('lets so many in, and the others in the order in which they came', async () => {
  const log: string[] = [];
  const permits = new Permits(2);
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => open(permits, log, name));
  await Promise.resolve();
  expect(log).toEqual(['a', 'b']);
  b?.end();
  await vi.waitFor(() => expect(log).toEqual(['a', 'b', 'c']));
  a?.fail(new Error('failed'));
  await expect(a?.ended).rejects.toThrow('failed');
  await vi.waitFor(() => expect(log).toEqual(['a', 'b', 'c', 'd']));
  c?.end();
  d?.end();
  await Promise.all([b?.ended, c?.ended, d?.ended]);
  expect(await permits.use(() => Promise.resolve('free'), NEVER)).toBe('free');
});

test('who leaves while waiting never works, and takes nobody’s place', async () => {
  const { log, leaving, first, gone, last } = threeForOne();
  leaving.abort(new Error('left'));
  await expect(gone.ended).rejects.toThrow('left');
  first.end();
  await first.ended;
  last.end();
  await last.ended;
  expect(log).toEqual(['first', 'last']);
});

test('a place that is given to who leaves at that moment goes on to the next', async () => {
  const { log, leaving, first, gone, last } = threeForOne();
  first.end();
  leaving.abort(new Error('left'));
  await first.ended;
  await expect(gone.ended).rejects.toThrow('left');
  last.end();
  await last.ended;
  expect(log.at(-1)).toBe('last');
});
