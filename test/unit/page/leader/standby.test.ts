import { beforeEach, expect, test, vi } from 'vitest';
import { engineOf, withoutEvents } from '../../../../src/core/port/engine.ts';
import type {
  ProgressEvent,
  ProgressStage,
} from '../../../../src/core/operations/events/events.ts';
import { EventQueue } from '../../../../src/core/async/event-queue.ts';
import { orAborted } from '../../../../src/core/async/or-aborted.ts';
import { standBy } from '../../../../src/page/leader/standby.ts';

/** What the leading tab's engine reports. */
let reports: EventQueue<ProgressEvent>;
/** The jobs of the standby tab's own engine, and their ends. */
let seen: string[];
let stop: AbortController;
/** Whether the own engine can load models. */
let canLoad: boolean;

function report(model: string, stage: ProgressStage): void {
  const progress = { model, stage, loadedBytes: 0, totalBytes: 0, text: '' };
  reports.push({ type: 'progress', progress });
}

/** Nothing outlives its pages here. */
const config = { protocol: '', base: '', hub: '', libraries: '' };

const present = engineOf<'watch'>({ watch: () => reports });

const own = engineOf<'keep' | 'unload'>({
  unload: ({ model }) => withoutEvents(async () => seen.push(`unload ${model}`)),
  async *keep({ model }, signal) {
    const name = `keep ${model}`;
    seen.push(name);
    if (!canLoad) throw new Error('out of memory');
    yield { type: 'kept' };
    const never = new Promise<never>(() => undefined);
    await orAborted(never, signal).finally(() => seen.push(`end of ${name}`));
  },
});

beforeEach(async () => {
  reports = new EventQueue();
  seen = [];
  stop = new AbortController();
  canLoad = true;
  performance.clearMarks();
  await standBy({ config, present }, own, stop.signal);
});

const untilMarked = (...models: string[]) =>
  vi.waitFor(() => {
    const marks = performance.getEntriesByType('mark').map(({ name }) => name);
    expect(marks).toEqual(models.map((model) => `slashv1 standby ${model}`));
  });
const untilSeen = (...jobs: string[]) => vi.waitFor(() => expect(seen).toEqual(jobs));

test('keeps each model that is ready there, once, and marks it when it is ready here', async () => {
  report('a', 'load');
  report('a', 'ready');
  report('a', 'ready');
  report('b', 'ready');
  await untilSeen('keep a', 'keep b');
  await untilMarked('a', 'b');
});

test.each(['unloaded', 'failed'] as const)('unloads a model that is %s there', async (stage) => {
  report('a', 'ready');
  await untilSeen('keep a');
  report('a', stage);
  await untilSeen('keep a', 'unload a', 'end of keep a');
  await untilMarked();
  report('a', 'ready');
  await untilSeen('keep a', 'unload a', 'end of keep a', 'keep a');
});

test('does not unload a model that it does not keep', async () => {
  report('a', 'failed');
  report('b', 'ready');
  await untilSeen('keep b');
});

test('tries again to keep a model that failed, when it is loaded again there', async () => {
  canLoad = false;
  report('a', 'ready');
  await untilSeen('keep a');
  canLoad = true;
  await vi.waitFor(() => {
    report('a', 'ready');
    expect(seen).toEqual(['keep a', 'keep a']);
  });
});

test('stops keeping models when it is aborted, and leaves unloading to the engine', async () => {
  report('a', 'ready');
  await untilSeen('keep a');
  stop.abort();
  await untilSeen('keep a', 'end of keep a');
  await untilMarked();
});
