import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { start } from '../../../../src/index.ts';
import { register } from '../../../../src/page/worker/register.ts';
import {
  closeBrowser,
  FAKE_DEVICE,
  openBrowser,
  type FakeBrowser,
} from '../../support/fakes/fake-browser.ts';
import { FakeServiceWorker } from '../../support/fakes/fake-service-worker.ts';
import { FakeEngineWorker } from '../../support/fakes/fake-engine-worker.ts';
import { scriptedEngine } from '../../support/fakes/scripted-engine.ts';

let browser: FakeBrowser;

beforeEach(() => {
  browser = openBrowser();
  FakeEngineWorker.engine = scriptedEngine(async function* (job) {
    if (job.op === 'device') yield { type: 'device', device: FAKE_DEVICE };
  });
});

afterEach(closeBrowser);

/** How many listeners the page has at its service workers. */
function listeners(): number {
  const { container } = browser;
  const ofContainer = ['message', 'controllerchange'].map((type) => [container, type] as const);
  return [...ofContainer, [container.registration, 'updatefound'] as const]
    .map(([target, type]) => getEventListeners(target, type).length)
    .reduce((sum, count) => sum + count);
}

test('a page that starts and stops again and again keeps no further listeners', async () => {
  const startAndStop = async () => (await start()).stop();
  await startAndStop();
  const first = listeners();
  expect(first).toBeGreaterThan(0);
  for (let time = 0; time < 3; time++) await startAndStop();
  expect(browser.container.registered).toHaveLength(4);
  expect(listeners()).toBe(first);
});

test('a script that could not be registered can be registered later', async () => {
  const script = new URL('sw.js', browser.base);
  const base = new URL(browser.base);
  browser.container.failure = new TypeError('404');
  await expect(register(script, base)).rejects.toMatchObject({ code: 'service_worker_failed' });
  browser.container.failure = undefined;
  expect(await register(script, base)).toBe(browser.container.registration);
});

test('a page whose browser is slow starts with the service worker that it has, although the server lost its files', async () => {
  await (await start()).stop();
  const { container } = browser;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: URL) =>
    url.pathname.endsWith('.js')
      ? Promise.resolve(new Response(null, { status: 404 }))
      : fetch(url),
  );
  const registering = Promise.withResolvers<void>();
  const registerNow = container.register.bind(container);
  container.register = async (url) => {
    await registering.promise;
    return registerNow(url);
  };
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const starting = start();
  void starting.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  registering.resolve();
  await (await starting).stop();
});

test('a page starts although the browser could not fetch the service worker the first time', async () => {
  const { container } = browser;
  const registerNow = container.register.bind(container);
  let losses = 1;
  container.register = async (url) => {
    if (losses-- > 0) throw new TypeError('Failed to fetch');
    return registerNow(url);
  };
  await (await start()).stop();
  expect(losses).toBe(-1);
});

test('a page starts although the first service worker could not fetch its other script', async () => {
  const { container } = browser;
  const { registration } = container;
  const registerNow = container.register.bind(container);
  const first = new FakeServiceWorker('installing', `${browser.base}sw.js`);
  container.register = async (url) => {
    if (first.state === 'redundant') return registerNow(url);
    registration.installing = first;
    setTimeout(() => {
      registration.installing = null;
      first.become('redundant');
    });
    return registration;
  };
  await (await start()).stop();
  expect(registration.active?.state).toBe('activated');
});

test('a service worker that cannot be installed although its files are right is registered twice, not more', async () => {
  browser.container.failure = new TypeError('Refused');
  await expect(start()).rejects.toMatchObject({
    code: 'service_worker_failed',
    message: expect.stringContaining('could not be registered: Refused'),
  });
  expect(browser.container.registered).toHaveLength(2);
});
