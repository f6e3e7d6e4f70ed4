import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JobEvent, ProgressStage } from '../../../../src/core/operations/events/events.ts';
import { EventQueue } from '../../../../src/core/async/event-queue.ts';
import { Leader } from '../../../../src/page/leader/leader.ts';
import { standBy } from '../../../../src/page/leader/standby.ts';
import {
  closeBrowser,
  configOf,
  openBrowser,
  type FakeBrowser,
} from '../../support/fakes/fake-browser.ts';
import { FakeEngineWorker } from '../../support/fakes/fake-engine-worker.ts';
import { scriptedEngine } from '../../support/fakes/scripted-engine.ts';
import { NEVER } from '../../support/never.ts';

// Node cannot import it from the site.
vi.mock('../../../../src/page/api/page-api.ts', () => ({
  loadPageApi: () => Promise.resolve({ standBy }),
}));

interface Tab {
  leader: Leader;
  stop: () => void;
}

let browser: FakeBrowser;
let tabs: Tab[];
/** What the leading tab's engine reports. */
let reports: EventQueue<JobEvent>;
/** Jobs that the workers were given. */
let jobs: string[];

const PROGRESS = {
  type: 'progress' as const,
  progress: { model: 'm', stage: 'ready' as const, loadedBytes: 0, totalBytes: 0, text: '' },
};

const hosted = scriptedEngine(async function* (job) {
  jobs.push(job.op);
  if (job.op === 'states') yield PROGRESS;
});
const present = scriptedEngine(() => reports);

beforeEach(() => {
  browser = openBrowser();
  tabs = [];
  reports = new EventQueue();
  jobs = [];
  FakeEngineWorker.engine = hosted;
});

afterEach(() => {
  for (const { stop } of tabs) stop();
  closeBrowser();
});

/** A tab that has called `start`. */
function openTab(standby = false): Tab {
  const stopping = new AbortController();
  const registration = navigator.serviceWorker.register('sw.js');
  const config = { ...configOf(browser), standby };
  const leader = new Leader({ registration, present, config }, stopping.signal);
  leader.stand();
  const tab = { leader, stop: () => stopping.abort() };
  tabs.push(tab);
  return tab;
}

const living = () => FakeEngineWorker.made.filter(({ isTerminated }) => !isTerminated);

/** The ports that a leader has sent to the service worker, by the client they are for. */
const sent = () =>
  browser.container.registration.active?.received.flatMap((message) =>
    message.type === 'slashv1:port' ? [[message.for, message.lock, message.nonce]] : [],
  );

test('the first tab leads: its worker’s port goes to the service worker, unasked', async () => {
  openTab();
  await vi.waitFor(() => expect(sent()).toEqual([[null, living()[0]?.lock, undefined]]));
});

test('of several tabs one leads', async () => {
  for (let count = 0; count < 3; count++) openTab();
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  expect(FakeEngineWorker.made).toHaveLength(1);
});

test('a request for a port is answered with its nonce', async () => {
  openTab();
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  const { base } = browser;
  browser.container.say({ type: 'slashv1:port-wanted', for: 'a page', nonce: 'n', base });
  const lock = living()[0]?.lock;
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()?.slice(1)).toEqual([['a page', lock, 'n']]);
});

test('a request of another deployment on the same origin is left to its own leader', async () => {
  openTab();
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  const { base } = configOf(browser);
  for (const each of [`${base}other/`, base]) {
    browser.container.say({ type: 'slashv1:port-wanted', for: each, base: each });
  }
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()?.[1]?.[0]).toBe(base);
});

test('when the leading tab stops, its worker ends and the next tab leads', async () => {
  const first = openTab();
  openTab();
  openTab();
  await vi.waitFor(() => expect(living()).toHaveLength(1));
  const [worker] = living();
  first.stop();
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(worker?.isTerminated).toBe(true);
  expect(living()).toHaveLength(1);
});

test('a tab that stops while it waits never leads', async () => {
  const first = openTab();
  const second = openTab();
  await vi.waitFor(() => expect(living()).toHaveLength(1));
  second.stop();
  first.stop();
  await vi.waitFor(() => expect(browser.locks.held).toEqual([]));
  expect(FakeEngineWorker.made).toHaveLength(1);
  expect(browser.locks.awaited).toEqual([]);
});

test('a worker that has ended is replaced, once, by the next requests', async () => {
  openTab();
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  const [ended] = living();
  ended?.terminate();
  await vi.waitFor(() => expect(browser.locks.held).not.toContain(ended?.lock));
  const { base } = browser;
  browser.container.say({ type: 'slashv1:port-wanted', for: 'a', base });
  browser.container.say({ type: 'slashv1:port-wanted', for: 'b', base });
  await vi.waitFor(() => expect(sent()).toHaveLength(3));
  expect(living()).toHaveLength(1);
  const lock = living()[0]?.lock;
  expect(sent()?.slice(1)).toEqual([
    ['a', lock, undefined],
    ['b', lock, undefined],
  ]);
});

test('the heir with standby keeps the models that the leader’s engine has loaded', async () => {
  const first = openTab(true);
  await vi.waitFor(() => expect(living()).toHaveLength(1));
  openTab(true);
  const loaded = (stage: ProgressStage) => ({
    type: 'progress' as const,
    progress: { model: 'm', stage, loadedBytes: 0, totalBytes: 0, text: '' },
  });
  reports.push(loaded('ready'));
  await vi.waitFor(() => expect(jobs).toEqual(['keep']));
  expect(living()).toHaveLength(2);
  const heirs = living()[1];
  first.stop();
  // The worker that is warm already is the one that serves from now on.
  await vi.waitFor(() => expect(sent()?.at(-1)).toEqual([null, heirs?.lock, undefined]));
  expect(living()).toEqual([heirs]);
});

test('a job on the tab’s own engine leaves no port open', async () => {
  const { leader } = openTab();
  const events: JobEvent[] = [];
  await leader.run({ op: 'states' }, NEVER, (event) => void events.push(event));
  expect(events).toEqual([PROGRESS]);
  await vi.waitFor(() => expect(living().map(({ openPorts }) => openPorts)).toEqual([0]));
});
