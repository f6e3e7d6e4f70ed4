import { expect, test, vi } from 'vitest';
import { Permits } from '../../../../../src/engine/download/transfer/permits.ts';
import { NEVER } from '../../../support/never.ts';

/** Work that ends when the test says so. */
function open(permits: Permits, log: string[], name: string, signal = NEVER) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ended = permits.use(async () => {
    log.push(name);
    await promise;
  }, signal);
  return { ended, end: resolve, fail: reject };
}

/** Three works for one permit; the second can be aborted. */
function threeForOne() {
  const log: string[] = [];
  const permits = new Permits(1);
  const leaving = new AbortController();
  const first = open(permits, log, 'first');
  const gone = open(permits, log, 'gone', leaving.signal);
  const last = open(permits, log, 'last');
  return { log, leaving, first, gone, last };
}

test('limits how many work at once; the others follow in their order', async () => {
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

test('an aborted wait never runs its work, and takes no permit', async () => {
  const { log, leaving, first, gone, last } = threeForOne();
  leaving.abort(new Error('left'));
  await expect(gone.ended).rejects.toThrow('left');
  first.end();
  await first.ended;
  last.end();
  await last.ended;
  expect(log).toEqual(['first', 'last']);
});

test('a permit given to a wait that is aborted at that moment is passed on', async () => {
  const { log, leaving, first, gone, last } = threeForOne();
  first.end();
  leaving.abort(new Error('left'));
  await first.ended;
  await expect(gone.ended).rejects.toThrow('left');
  last.end();
  await last.ended;
  expect(log.at(-1)).toBe('last');
});
