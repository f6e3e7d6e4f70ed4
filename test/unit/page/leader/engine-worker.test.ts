import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ToServiceWorker } from '../../../../src/core/realms/messages.ts';
import { END_NOTE, VERSION, VERSION_NOTE } from '../../../../src/core/version.ts';
import { holdWebLock } from '../../../../src/core/port/web-lock.ts';
import { EngineWorker } from '../../../../src/page/leader/engine-worker.ts';
import { CONFIG, FakeWorker, started } from '../../support/fakes/fake-worker.ts';
import { FakeLocks } from '../../support/fakes/fake-locks.ts';
import { stubWindow, type FakeWindow } from '../../support/fakes/fake-window.ts';

const HOUR = 3_600_000;

const toController = vi.fn<(message: ToServiceWorker) => void>();
const fetched = vi.fn<() => Promise<Response>>();
let locks: FakeLocks;
let view: FakeWindow;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  toController.mockReset();
  locks = new FakeLocks();
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('navigator', {
    locks,
    serviceWorker: { controller: { postMessage: toController } },
  });
  view = stubWindow('http://a/');
  fetched.mockReset();
  fetched.mockImplementation(() => Promise.resolve(new Response(VERSION_NOTE + END_NOTE)));
  vi.stubGlobal('fetch', fetched);
  await holdWebLock('lock');
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the engine’s worker', () => {
  test('has started once it says so', async () => {
    const engine = new EngineWorker(CONFIG);
    const lock = engine.lock();
    FakeWorker.last.say({ type: 'slashv1:alive', lock: 'lock', version: VERSION });
    expect(await lock).toBe('lock');
  });

  test('has ended if its script fails', async () => {
    const engine = new EngineWorker(CONFIG);
    const lock = engine.lock();
    FakeWorker.last.dispatchEvent(Object.assign(new Event('error'), { message: 'A SyntaxError' }));
    expect(await lock).toBeUndefined();
    expect(await engine.failure()).toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('engine.js does not run: A SyntaxError'),
    });
  });

  test('may be started once more if the request of its script was lost', async () => {
    started();
    const lost = () => {
      const engine = new EngineWorker(CONFIG);
      FakeWorker.last.dispatchEvent(new Event('error'));
      return engine.failure();
    };
    expect(await lost()).toBeUndefined();
    expect(await lost()).toMatchObject({ code: 'engine_failed' });
  });

  test('has ended if it says nothing and its script is empty', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('')));
    const engine = new EngineWorker(CONFIG);
    vi.advanceTimersByTime(3_000);
    expect(await engine.lock()).toBeUndefined();
    expect(await engine.failure()).toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('engine.js is empty'),
    });
  });

  test('may take longer to start if there is nothing wrong with its script', async () => {
    const engine = new EngineWorker(CONFIG);
    vi.advanceTimersByTime(3_000);
    await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce());
    const worker = FakeWorker.last;
    worker.say({ type: 'slashv1:alive', lock: 'lock', version: VERSION });
    expect(await engine.lock()).toBe('lock');
    expect(worker.isTerminated).toBe(false);
  });

  test('has ended if it does not start in time; the next one may take twice as long', async () => {
    started();
    for (const seconds of [30, 60, 120]) {
      const engine = new EngineWorker(CONFIG);
      const worker = FakeWorker.last;
      vi.advanceTimersByTime(seconds * 1_000 - 1);
      expect(worker.isTerminated).toBe(false);
      vi.advanceTimersByTime(1);
      expect(worker.isTerminated).toBe(true);
      expect(await engine.lock()).toBeUndefined();
    }
    started();
    const late = new EngineWorker(CONFIG);
    vi.advanceTimersByTime(30_000);
    expect(await late.lock()).toBeUndefined();
  });

  test.each([
    ['says that it is broken', (worker: FakeWorker) => worker.say({ type: 'slashv1:broken' })],
    ['throws', (worker: FakeWorker) => void worker.dispatchEvent(new Event('error'))],
    ['releases its lock', () => locks.endHolder('lock')],
  ])('has ended if it %s', async (_, end) => {
    const { engine, worker } = started();
    end(worker);
    expect(await engine.lock()).toBeUndefined();
    expect(worker.isTerminated).toBe(true);
  });

  test('has ended if its lock is free, even before the browser reports that', async () => {
    const { engine, worker } = started();
    vi.spyOn(locks, 'query').mockResolvedValue({ held: [], pending: [] });
    expect(await engine.lock()).toBeUndefined();
    expect(worker.isTerminated).toBe(true);
  });

  test('continues while it answers', () => {
    const { worker } = started();
    vi.advanceTimersByTime(HOUR);
    expect(worker.isTerminated).toBe(false);
  });

  test('may be busy for two minutes', () => {
    const { worker } = started();
    worker.answersPings = false;
    vi.advanceTimersByTime(110_000);
    worker.say({ type: 'slashv1:pong' });
    vi.advanceTimersByTime(110_000);
    expect(worker.isTerminated).toBe(false);
  });

  test('is ended if it hangs', () => {
    const { worker } = started();
    worker.answersPings = false;
    vi.advanceTimersByTime(130_000);
    expect(worker.isTerminated).toBe(true);
    expect(worker.hung).toBeUndefined();
    // The next one must not get its jobs.
    expect(started().worker.hung).toBe('lock');
  });
});

test('what a worker gave to keep is given to the next one', () => {
  const { worker } = started();
  worker.say({ type: 'slashv1:keep', key: 'one', value: { text: 'first' } });
  worker.say({ type: 'slashv1:keep', key: 'two', value: { text: 'second' } });
  worker.say({ type: 'slashv1:keep', key: 'two', value: undefined });
  worker.say({ type: 'slashv1:broken' });
  expect(started().worker.kept).toEqual(new Map([['one', { text: 'first' }]]));
});

describe('what the next engine is told', () => {
  /** Locks of the engines that pages have ended. */
  const ended = () => {
    const next = new EngineWorker(CONFIG);
    const told = FakeWorker.last.ended.at(-1);
    next.end();
    return told;
  };

  test('names the worker if the page has ended it', () => {
    started().engine.end();
    expect(ended()).toEqual(['lock']);
  });

  test.each([
    ['says that it is broken', (worker: FakeWorker) => worker.say({ type: 'slashv1:broken' })],
    ['throws', (worker: FakeWorker) => void worker.dispatchEvent(new Event('error'))],
  ])('names the worker if it %s', (_, end) => {
    end(started().worker);
    expect(ended()).toEqual(['lock']);
  });

  test('does not name a worker that has ended by itself, as one without memory does', async () => {
    const { engine } = started();
    locks.endHolder('lock');
    await engine.lock();
    engine.end();
    expect(ended()).toEqual([]);
  });

  test('names the worker of a page that is closed, unless the page comes back', () => {
    started();
    view.send('pagehide');
    expect(ended()).toEqual(['lock']);
    view.send('pageshow');
    expect(ended()).toEqual([]);
  });

  test('names the worker of a page while it is hidden: phones end those without an event', () => {
    started();
    view.show('hidden');
    expect(ended()).toEqual(['lock']);
    view.show('visible');
    expect(ended()).toEqual([]);
  });

  test('is told again when another page has ended its engine', () => {
    const { worker } = started();
    view.stored.set('slashv1:ended', 'other');
    view.send('storage', { key: 'slashv1:ended' });
    expect(worker.ended).toEqual([[], ['other']]);
    view.send('storage', { key: 'theme' });
    expect(worker.ended).toHaveLength(2);
  });

  test('is nothing if the page has no storage', () => {
    vi.stubGlobal('localStorage', undefined);
    started().engine.end();
    expect(ended()).toBeUndefined();
  });

  test('does not grow with every start', () => {
    const many = Array.from({ length: 20 }, (_, index) => `${index}`);
    view.stored.set('slashv1:ended', many.join(' '));
    started().engine.end();
    expect(ended()).toHaveLength(8);
    expect(ended()?.at(-1)).toBe('lock');
  });
});

test('the service worker is asked to claim a worker that was started without it, and no other', () => {
  const { serviceWorker } = navigator;
  const controlledBy = (container: object) =>
    vi.stubGlobal('navigator', { locks, serviceWorker: container });
  const start = () => {
    const engine = new EngineWorker(CONFIG);
    controlledBy(serviceWorker);
    FakeWorker.last.say({ type: 'slashv1:alive', lock: 'lock', version: VERSION });
    engine.end();
  };
  start();
  expect(toController).not.toHaveBeenCalled();
  controlledBy({ controller: null });
  start();
  expect(toController).toHaveBeenCalledExactlyOnceWith({ type: 'slashv1:claim' });
});
