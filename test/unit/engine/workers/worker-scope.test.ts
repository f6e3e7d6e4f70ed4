import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tabChannel } from '../../../../src/core/port/tab-messages.ts';
import { holdWebLock } from '../../../../src/core/port/web-lock.ts';
import { pagesLock } from '../../../../src/core/realms/messages.ts';
import { VERSION } from '../../../../src/core/version.ts';
import { endAfterPages, pageScope } from '../../../../src/engine/workers/worker-scope.ts';
import { FakeLocks } from '../../support/fakes/fake-locks.ts';

let base: string;
const close = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  base = `http://site/${crypto.randomUUID()}/`;
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  close.mockReset();
});

/** A SharedWorker's scope, and how a page connects to it. */
function sharedScope() {
  const connected: ((event: MessageEvent) => void)[] = [];
  const scope = {
    onconnect: null,
    close,
    addEventListener: (_: 'connect', listener: (event: MessageEvent) => void) =>
      void connected.push(listener),
  };
  const connect = () => {
    const { port1, port2 } = new MessageChannel();
    for (const listener of connected) listener(new MessageEvent('connect', { ports: [port1] }));
    return port2;
  };
  return { scope, connect };
}

test('an engine that outlives its pages talks with the page that connected last', async () => {
  const { scope, connect } = sharedScope();
  const page = pageScope(scope);
  const [first, second] = [connect(), connect()];
  const heard: unknown[] = [];
  page.addEventListener('message', ({ data }) => heard.push(data));
  const told = new Promise((resolve) => {
    second.onmessage = ({ data }) => resolve(data);
  });
  first.postMessage('from the first');
  second.postMessage('from the second');
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  expect(new Set(heard)).toEqual(new Set(['from the first', 'from the second']));
  page.postMessage('to the last');
  expect(await told).toBe('to the last');
  first.close();
  second.close();
});

test('it ends when none of its pages has been open for a while', async () => {
  const release = await holdWebLock(pagesLock(base), 'shared');
  endAfterPages({ close }, base);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(close).not.toHaveBeenCalled();
  await release();
  await vi.advanceTimersByTimeAsync(25_000);
  expect(close).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(close).toHaveBeenCalledOnce();
});

test('it ends at once if a page leads that has an engine of another version', async () => {
  const release = await holdWebLock(pagesLock(base), 'shared');
  endAfterPages({ close }, base);
  const tabs = tabChannel(base);
  tabs.postMessage({ type: 'slashv1:outliving', version: 'another' });
  await release();
  tabs.postMessage({ type: 'slashv1:outliving', version: VERSION });
  tabs.postMessage({ type: 'slashv1:outliving', version: 'a third' });
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
  tabs.close();
});
