import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withScreenOn } from '../../../../src/page/api/models/screen-on.ts';

/** The page's document, which a test hides and shows. */
let page: EventTarget & { visibilityState: DocumentVisibilityState };
/** How many locks the page has, and how many it has asked for. */
let locks: { held: number; asked: number };
let request: () => Promise<{ release: () => Promise<void> }>;

function show(visibilityState: DocumentVisibilityState): void {
  page.visibilityState = visibilityState;
  // The browser takes the lock of a page that it hides.
  if (visibilityState === 'hidden') locks.held = 0;
  page.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  locks = { held: 0, asked: 0 };
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });
  request = async () => {
    locks.asked++;
    locks.held++;
    return { release: async () => void (locks.held = Math.max(0, locks.held - 1)) };
  };
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', { wakeLock: { request: () => request() } });
});

afterEach(() => vi.unstubAllGlobals());

test('the screen stays on until the work ends', async () => {
  const work = Promise.withResolvers<string>();
  const done = withScreenOn(() => work.promise);
  await vi.waitFor(() => expect(locks.held).toBe(1));
  work.resolve('done');
  expect(await done).toBe('done');
  await vi.waitFor(() => expect(locks.held).toBe(0));
});

test('it is let go when the work fails, and the failure is passed on', async () => {
  await expect(withScreenOn(() => Promise.reject(new Error('full')))).rejects.toThrow('full');
  await vi.waitFor(() => expect(locks).toEqual({ held: 0, asked: 1 }));
});

test('a page that was hidden asks again when it is in sight', async () => {
  const work = Promise.withResolvers<void>();
  const done = withScreenOn(() => work.promise);
  await vi.waitFor(() => expect(locks.held).toBe(1));
  show('hidden');
  expect(locks).toEqual({ held: 0, asked: 1 });
  show('visible');
  await vi.waitFor(() => expect(locks).toEqual({ held: 1, asked: 2 }));
  work.resolve();
  await done;
  await vi.waitFor(() => expect(locks.held).toBe(0));
  show('visible');
  expect(locks.asked).toBe(2);
});

test('a hidden page does not ask', async () => {
  page.visibilityState = 'hidden';
  expect(await withScreenOn(async () => 'done')).toBe('done');
  expect(locks.asked).toBe(0);
});

test.each([
  [
    'refuses',
    { wakeLock: { request: () => Promise.reject(new DOMException('', 'NotAllowedError')) } },
  ],
  ['has no such lock', {}],
])('the work is done in a browser that %s', async (_why, navigator) => {
  vi.stubGlobal('navigator', navigator);
  expect(await withScreenOn(async () => 'done')).toBe('done');
});
