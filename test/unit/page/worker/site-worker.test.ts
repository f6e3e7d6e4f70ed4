import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HEALTH_HEADER, PROTOCOL } from '../../../../src/core/realms/messages.ts';
import { start } from '../../../../src/index.ts';
import {
  closeBrowser,
  FAKE_DEVICE,
  openBrowser,
  type FakeBrowser,
} from '../../support/fakes/fake-browser.ts';
import { FakeEngineWorker } from '../../support/fakes/fake-engine-worker.ts';
import { FakeServiceWorker } from '../../support/fakes/fake-service-worker.ts';
import { scriptedEngine } from '../../support/fakes/scripted-engine.ts';

let browser: FakeBrowser;

beforeEach(() => {
  browser = openBrowser();
  FakeEngineWorker.engine = scriptedEngine(async function* (job) {
    if (job.op === 'device') yield { type: 'device', device: FAKE_DEVICE };
  });
});

afterEach(closeBrowser);

/** The site's own registration, whose service worker has slashv1. */
async function registration(): Promise<ServiceWorkerRegistration> {
  const registered = await navigator.serviceWorker.register('own.js');
  browser.container.registered.length = 0;
  return registered;
}

test('the registration of a site is used as it is, and its scope is the base', async () => {
  const serviceWorker = await registration();
  browser.container.registration.scope = 'http://site/elsewhere/';
  const v1 = await start({ serviceWorker });
  expect(v1.baseURL).toBe('http://site/elsewhere/v1');
  expect(browser.container.registered).toEqual([]);
  await v1.stop();
});

test('without a base, it is where the service worker that controls the page is', async () => {
  await registration();
  const { container } = browser;
  container.registration.scope = 'http://site/';
  container.controller = container.registration.active;
  const v1 = await start();
  expect(v1.baseURL).toBe('http://site/v1');
  expect(browser.container.registered).toEqual(['http://site/sw.js']);
  await v1.stop();
  const other = await start({ base: 'mine/' });
  expect(other.baseURL).toBe(`${browser.base}mine/v1`);
  await other.stop();
});

test("a foreign service worker above the page's folder does not decide the base", async () => {
  await registration();
  browser.container.registration.scope = 'http://site/';
  const health = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string | URL, init?: RequestInit) =>
    String(url).startsWith(browser.base)
      ? health(url, init)
      : Promise.resolve(new Response(null, { status: 404 })),
  );
  const v1 = await start();
  expect(v1.baseURL).toBe(`${browser.base}v1`);
  await v1.stop();
});

test('a claim names the files that the page has loaded', async () => {
  const name = `${browser.base}app.js`;
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { name, entryType: 'resource', startTime: 0, duration: 0, toJSON: () => ({}) },
  ]);
  const v1 = await start();
  const { active } = browser.container.registration;
  expect(active?.received).toContainEqual({ type: 'slashv1:claim', loaded: [name] });
  await v1.stop();
});

test('a script is registered by its URL, relative to the page', async () => {
  const v1 = await start({ serviceWorker: 'own.js' });
  expect(browser.container.registered).toEqual([`${browser.base}own.js`]);
  await v1.stop();
});

test("a waiting version of a site's service worker is not announced: the site decides", async () => {
  const serviceWorker = await registration();
  browser.container.registration.waiting = new FakeServiceWorker('installed');
  const v1 = await start({ serviceWorker });
  const received = browser.container.registration.active?.received.map(({ type }) => type);
  expect(received).toEqual(expect.arrayContaining(['slashv1:claim', 'slashv1:port']));
  expect(received).not.toContain('slashv1:update-waits');
  await v1.stop();
});

test('two calls with the same registration share a page', async () => {
  const serviceWorker = await registration();
  const [first, second] = await Promise.all([start({ serviceWorker }), start({ serviceWorker })]);
  expect(second.apiKey).toBe(first.apiKey);
  await Promise.all([first.stop(), second.stop()]);
});

test('start fails if the base is not the scope of the registration', async () => {
  const serviceWorker = await registration();
  await expect(start({ serviceWorker, base: '/elsewhere/' })).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining('scope'),
  });
});

test('start fails if the service worker refuses to claim the page', async () => {
  browser.container.claims = false;
  await expect(start({ serviceWorker: 'own.js' })).rejects.toMatchObject({
    code: 'page_not_controlled',
    message: expect.stringContaining('own.js'),
  });
});

test('a page that is claimed while its own claim is refused starts', async () => {
  const { container } = browser;
  const serviceWorker = await registration();
  container.claims = false;
  container.addEventListener(
    'message',
    () => (container.controller = container.registration.active),
  );
  const v1 = await start({ serviceWorker });
  await v1.stop();
});

test('a service worker of slashv1 under another name is replaced', async () => {
  await registration();
  const v1 = await start();
  expect(browser.container.registered).toEqual([`${browser.base}sw.js`]);
  await v1.stop();
});

test('a foreign service worker is named, and nothing is registered in its place', async () => {
  const foreign = new FakeServiceWorker('activated', `${browser.base}foreign.js`);
  browser.container.registration.active = foreign;
  browser.container.controller = foreign;
  const fetched = vi.fn(() => Promise.resolve(new Response(null, { status: 404 })));
  vi.stubGlobal('fetch', fetched);
  await expect(start()).rejects.toMatchObject({
    code: 'foreign_service_worker',
    message: expect.stringContaining(`${browser.base}foreign.js`),
  });
  expect(browser.container.registered).toEqual([]);
  expect(fetched).toHaveBeenCalledOnce();
});

test('while a service worker takes over, the foreign one that it replaces is not judged', async () => {
  const serviceWorker = await registration();
  const { container } = browser;
  container.controller = new FakeServiceWorker('redundant', `${browser.base}foreign.js`);
  vi.stubGlobal('fetch', (url: string | URL) => {
    const { active } = container.registration;
    const { pathname } = new URL(url, browser.base);
    if (pathname.endsWith('.js')) {
      const isForeign = pathname.endsWith('foreign.js');
      container.controller = active;
      return Promise.resolve(new Response(isForeign ? '// none of ours' : '// slashv1:claim'));
    }
    const isReached = container.controller === active;
    const headers = new Headers(isReached ? { [HEALTH_HEADER]: PROTOCOL } : {});
    return Promise.resolve(new Response(null, { headers }));
  });
  const v1 = await start({ serviceWorker });
  await v1.stop();
});

test("messages of the site's own service worker are none of ours", async () => {
  const v1 = await start({ serviceWorker: await registration() });
  const uncaught = vi.fn();
  process.once('uncaughtException', uncaught);
  browser.container.say(null);
  await new Promise((resolve) => setTimeout(resolve));
  process.removeListener('uncaughtException', uncaught);
  expect(uncaught).not.toHaveBeenCalled();
  await v1.stop();
});
