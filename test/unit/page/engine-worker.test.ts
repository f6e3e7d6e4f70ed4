import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FromEngineWorker, ToEngineWorker } from '../../../src/core/protocol/messages.ts';
import { EngineWorker } from '../../../src/page/engine-worker.ts';

const CONFIG = {
  protocol: '1',
  base: 'http://a/',
  hub: 'http://hub/',
  libraries: 'http://libraries/',
};
const HOUR = 3_600_000;

/** Stands in for the browser's worker: its end is all there is to see of it. */
class FakeWorker extends EventTarget {
  static last: FakeWorker;

  answersPings = true;
  isTerminated = false;

  constructor() {
    super();
    FakeWorker.last = this;
  }

  postMessage({ type }: ToEngineWorker): void {
    if (type === 'slashv1:ping' && this.answersPings) this.say({ type: 'slashv1:pong' });
  }

  terminate(): void {
    this.isTerminated = true;
  }

  say(data: FromEngineWorker): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

let held: string[];
let release: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  held = ['lock'];
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('navigator', {
    locks: {
      query: () => Promise.resolve({ held: held.map((name) => ({ name })) }),
      request(_name: string, _options: object, onReleased: () => void) {
        release = onReleased;
        return Promise.resolve();
      },
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** An engine whose worker has begun. */
function living(): { engine: EngineWorker; worker: FakeWorker } {
  const engine = new EngineWorker(CONFIG);
  FakeWorker.last.say({ type: 'slashv1:alive', lock: 'lock' });
  return { engine, worker: FakeWorker.last };
}

describe('the engine’s worker', () => {
  test('lives from when it says so', async () => {
    const engine = new EngineWorker(CONFIG);
    const lock = engine.lock();
    FakeWorker.last.say({ type: 'slashv1:alive', lock: 'lock' });
    expect(await lock).toBe('lock');
  });

  test('has not begun when its script fails', async () => {
    const engine = new EngineWorker(CONFIG);
    const lock = engine.lock();
    FakeWorker.last.dispatchEvent(new Event('error'));
    expect(await lock).toBeUndefined();
  });

  test('is over when it does not begin in time; the next one has twice as long', async () => {
    living();
    for (const seconds of [30, 60, 120]) {
      const engine = new EngineWorker(CONFIG);
      const worker = FakeWorker.last;
      vi.advanceTimersByTime(seconds * 1_000 - 1);
      expect(worker.isTerminated).toBe(false);
      vi.advanceTimersByTime(1);
      expect(worker.isTerminated).toBe(true);
      expect(await engine.lock()).toBeUndefined();
    }
    living();
    const late = new EngineWorker(CONFIG);
    vi.advanceTimersByTime(30_000);
    expect(await late.lock()).toBeUndefined();
  });

  test.each([
    ['says that it is broken', (worker: FakeWorker) => worker.say({ type: 'slashv1:broken' })],
    ['throws', (worker: FakeWorker) => void worker.dispatchEvent(new Event('error'))],
    ['lets go of its lock', () => release()],
  ])('is over when it %s', async (_, end) => {
    const { engine, worker } = living();
    end(worker);
    expect(worker.isTerminated).toBe(true);
    expect(await engine.lock()).toBeUndefined();
  });

  test('is over when its lock is free, even if nobody has said so yet', async () => {
    const { engine, worker } = living();
    held = [];
    expect(await engine.lock()).toBeUndefined();
    expect(worker.isTerminated).toBe(true);
  });

  test('goes on as long as it answers', () => {
    const { worker } = living();
    vi.advanceTimersByTime(HOUR);
    expect(worker.isTerminated).toBe(false);
  });

  test('may be busy for a while', () => {
    const { worker } = living();
    worker.answersPings = false;
    vi.advanceTimersByTime(110_000);
    worker.say({ type: 'slashv1:pong' });
    vi.advanceTimersByTime(110_000);
    expect(worker.isTerminated).toBe(false);
  });

  test('is ended when it hangs', () => {
    const { worker } = living();
    worker.answersPings = false;
    vi.advanceTimersByTime(130_000);
    expect(worker.isTerminated).toBe(true);
  });
});
