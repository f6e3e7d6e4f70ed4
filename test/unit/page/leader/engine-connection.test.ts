import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SingleDelivery } from '../../../../src/core/operations/delivery.ts';
import { EngineConnection } from '../../../../src/core/port/engine-connection.ts';
import { requestPort } from '../../../../src/page/leader/engine-port.ts';
import { Leader } from '../../../../src/page/leader/leader.ts';
import {
  closeBrowser,
  configOf,
  openBrowser,
  type FakeBrowser,
} from '../../support/fakes/fake-browser.ts';
import { FakeEngineWorker } from '../../support/fakes/fake-engine-worker.ts';
import { NEVER } from '../../support/never.ts';

let browser: FakeBrowser;
let registration: Promise<ServiceWorkerRegistration>;
let leading: AbortController;
let stopping: AbortController;

const connection = () =>
  new EngineConnection(
    async (signal) => requestPort(await registration, signal),
    (job) => new SingleDelivery(job),
    stopping.signal,
  );
const clientLocks = () => browser.locks.held.filter((name) => name.startsWith('slashv1:client:'));
const requests = () =>
  browser.container.registration.active?.received.filter(({ type }) => type === 'slashv1:connect');
const openPorts = () => FakeEngineWorker.made.map((worker) => worker.openPorts);

/** The leader's engine worker ends, and the browser releases its lock. */
function endEngine(): void {
  const worker = FakeEngineWorker.made.at(-1);
  worker?.terminate();
  browser.locks.endHolder(worker?.lock ?? '');
}

beforeEach(() => {
  browser = openBrowser();
  leading = new AbortController();
  stopping = new AbortController();
  registration = navigator.serviceWorker.register('sw.js');
  const options = { registration, present: connection(), config: configOf(browser) };
  new Leader(options, leading.signal).stand();
});

afterEach(() => {
  stopping.abort();
  leading.abort();
  closeBrowser();
});

test('two connections of one page that ask at once get a port each', async () => {
  const [a, b] = await Promise.all([connection().connect(NEVER), connection().connect(NEVER)]);
  expect(a).not.toBe(b);
  expect([a.isGone, b.isGone]).toEqual([false, false]);
});

test('a port for another copy of the library in the same page is left alone', async () => {
  await connection().connect(NEVER);
  const { port1, port2 } = new MessageChannel();
  const received = vi.fn<() => void>();
  port2.onmessage = received;
  browser.container.say({ type: 'slashv1:port', lock: 'l', nonce: 'of another' }, port1);
  browser.container.say({ type: 'slashv1:port', lock: 'l' }, port1);
  port1.postMessage('still open');
  await vi.waitFor(() => expect(received).toHaveBeenCalledOnce());
  port1.close();
});

test('a request is repeated until it is answered; the host gets back all ports but one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const connecting = connection().connect(NEVER);
  await registration;
  vi.advanceTimersByTime(3_000);
  vi.useRealTimers();
  await connecting;
  expect(requests()).toHaveLength(4);
  await vi.waitFor(() => expect(openPorts()).toEqual([1]));
});

test('all callers that lost the same engine share the next one', async () => {
  const shared = connection();
  const first = await shared.connect(NEVER);
  endEngine();
  await first.gone;
  const [a, b] = await Promise.all([shared.connect(NEVER), shared.connect(NEVER)]);
  expect(a).not.toBe(first);
  expect(b).toBe(a);
});

test('an attempt continues when the caller that began it aborts', async () => {
  const shared = connection();
  const leaving = new AbortController();
  const left = shared.connect(leaving.signal);
  const stayed = shared.connect(NEVER);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  expect((await stayed).isGone).toBe(false);
});

test('stopping closes the port and releases the lock of the client', async () => {
  await connection().connect(NEVER);
  await vi.waitFor(() => expect(clientLocks()).toHaveLength(1));
  stopping.abort();
  await vi.waitFor(() => expect(openPorts()).toEqual([0]));
  expect(clientLocks()).toEqual([]);
});

test('stopping gives back a port that is still on its way', async () => {
  const connecting = connection().connect(NEVER);
  await registration;
  expect(requests()).toHaveLength(1);
  stopping.abort(new Error('stopped'));
  await expect(connecting).rejects.toThrow('stopped');
  await vi.waitFor(() => expect(openPorts()).toEqual([0]));
  expect(clientLocks()).toEqual([]);
});

test('nothing is asked for after the stop', async () => {
  const stopped = connection();
  stopping.abort(new Error('stopped'));
  await expect(stopped.connect(NEVER)).rejects.toThrow('stopped');
  expect(requests()).toEqual([]);
});
