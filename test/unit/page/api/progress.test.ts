import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type {
  JobEvent,
  Progress,
  ProgressStage,
} from '../../../../src/core/operations/events/events.ts';
import { EventQueue } from '../../../../src/core/async/event-queue.ts';
import { orAborted } from '../../../../src/core/async/or-aborted.ts';
import { watchProgress } from '../../../../src/page/api/models/progress.ts';
import { scriptedEngine } from '../../support/fakes/scripted-engine.ts';

/** One for each subscription, in order. */
let subscriptions: EventQueue<JobEvent>[];
/** How many of them have ended. */
let ended: number;
let stop: AbortController;
let reported: unknown[];

const engine = scriptedEngine(async function* (_job, signal) {
  const events = new EventQueue<JobEvent>();
  subscriptions.push(events);
  try {
    for (;;) {
      const { value, done } = await orAborted(events.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    ended++;
  }
});

function progress(stage: ProgressStage): Progress {
  return { model: 'm', stage, loadedBytes: 0, totalBytes: 0, text: '' };
}

const report = (stage: ProgressStage) =>
  subscriptions.at(-1)?.push({ type: 'progress', progress: progress(stage) });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  subscriptions = [];
  ended = 0;
  stop = new AbortController();
  reported = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
});

afterEach(() => {
  stop.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a listener hears of every step, in order', async () => {
  const heard: Progress[] = [];
  watchProgress(engine, (event) => heard.push(event), stop.signal);
  report('load');
  report('ready');
  await vi.waitFor(() => expect(heard).toEqual([progress('load'), progress('ready')]));
});

test('an error that a listener throws is reported, and the listener hears of the next step', async () => {
  const listener = vi.fn<(event: Progress) => void>();
  listener.mockImplementationOnce(() => {
    throw new Error('of the listener');
  });
  watchProgress(engine, listener, stop.signal);
  report('load');
  report('ready');
  await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(2));
  expect(reported).toEqual([new Error('of the listener')]);
  await vi.runOnlyPendingTimersAsync();
  expect(subscriptions).toHaveLength(1);
});

test('a listener of an engine that was lost hears of the next one', async () => {
  const listener = vi.fn<(event: Progress) => void>();
  watchProgress(engine, listener, stop.signal);
  subscriptions[0]?.fail(new Error('lost'));
  await vi.waitFor(() => expect(ended).toBe(1));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(subscriptions).toHaveLength(2);
  report('ready');
  await vi.waitFor(() => expect(listener).toHaveBeenCalledWith(progress('ready')));
});

test.each([
  ['it was stopped', (unsubscribe: () => void) => unsubscribe()],
  ['its page was stopped', () => stop.abort()],
])('a listener hears of nothing, and the engine is not asked again, when %s', async (_, end) => {
  const listener = vi.fn<(event: Progress) => void>();
  end(watchProgress(engine, listener, stop.signal));
  await vi.waitFor(() => expect(ended).toBe(1));
  report('ready');
  await vi.runAllTimersAsync();
  expect(subscriptions).toHaveLength(1);
  expect(listener).not.toHaveBeenCalled();
});
