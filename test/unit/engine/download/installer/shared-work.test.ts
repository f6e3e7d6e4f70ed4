import { expect, test, vi } from 'vitest';
import { SharedWork } from '../../../../../src/engine/download/installer/shared-work.ts';
import { NEVER } from '../../../support/never.ts';

/** Work that ends when the test says so, or as its signal aborts. */
function openWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  const work = vi.fn<(signal: AbortSignal) => Promise<string>>((signal) => {
    signals.push(signal);
    signal.addEventListener('abort', () => reject(signal.reason));
    return promise;
  });
  return { work, resolve, signals };
}

test('callers of the same work share one run and its result', async () => {
  const shared = new SharedWork<string>();
  const { work, resolve } = openWork();
  const both = [shared.join('m', NEVER, work), shared.join('m', NEVER, work)];
  resolve('done');
  expect(await Promise.all(both)).toEqual(['done', 'done']);
  expect(work).toHaveBeenCalledOnce();
});

test('other work has its own run, and finished work can run again', async () => {
  const shared = new SharedWork<string>();
  const { work, resolve } = openWork();
  const both = [shared.join('m', NEVER, work), shared.join('n', NEVER, work)];
  resolve('done');
  await Promise.all(both);
  await shared.join('m', NEVER, work);
  expect(work).toHaveBeenCalledTimes(3);
});

test('a caller that leaves does not stop the run; the last one does', async () => {
  const shared = new SharedWork<string>();
  const { work, signals } = openWork();
  const [first, second] = [new AbortController(), new AbortController()];
  const results = [first, second].map(({ signal }) => shared.join('m', signal, work));
  first.abort(new Error('first'));
  await expect(results[0]).rejects.toThrow('first');
  expect(signals[0]?.aborted).toBe(false);
  second.abort(new Error('second'));
  await expect(results[1]).rejects.toThrow('second');
  expect(signals[0]?.reason).toEqual(new Error('second'));
});

test('a run that is being stopped cannot be joined', async () => {
  const shared = new SharedWork<string>();
  const { work } = openWork();
  const stopped = shared.join('m', NEVER, work);
  shared.stop('m', new Error('paused'));
  const next = openWork();
  const again = shared.join('m', NEVER, next.work);
  await expect(stopped).rejects.toThrow('paused');
  next.resolve('done');
  expect(await again).toBe('done');
});

test('every caller gets a failure, which is then forgotten', async () => {
  const shared = new SharedWork<string>();
  const work = () => Promise.reject(new Error('broken'));
  const both = [shared.join('m', NEVER, work), shared.join('m', NEVER, work)];
  for (const result of both) await expect(result).rejects.toThrow('broken');
  expect(await shared.join('m', NEVER, () => Promise.resolve('done'))).toBe('done');
});

test('a caller whose signal is aborted starts nothing', async () => {
  const { work } = openWork();
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(new SharedWork<string>().join('m', gone, work)).rejects.toThrow('gone');
  expect(work).not.toHaveBeenCalled();
});
