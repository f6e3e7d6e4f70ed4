import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { interceptionOf, INTERCEPTS_HEADER } from '../../../../src/core/realms/interception.ts';
import { StartError } from '../../../../src/page/api/api.ts';
import { intercepting } from '../../../../src/page/worker/interception.ts';
import { closeBrowser, openBrowser, type FakeBrowser } from '../../support/fakes/fake-browser.ts';
import { FakeServiceWorker } from '../../support/fakes/fake-service-worker.ts';

const OPENAI = 'https://api.openai.com/v1';
const OTHER = 'https://llm.example.org/v1';

let browser: FakeBrowser;

beforeEach(() => {
  browser = openBrowser();
});

afterEach(closeBrowser);

/** A page that intercepts these services until its controller aborts. */
function page(services: readonly string[]) {
  const stopping = new AbortController();
  const folder = new URL(browser.base);
  return { stopping, ...intercepting([services, {}], folder, stopping.signal, StartError) };
}

/** The services that a parameter of `sw.js` names. */
function basesIn(parameter: string | undefined): string[] | undefined {
  return interceptionOf(`http://site/sw.js?${parameter ?? ''}`)?.bases;
}

function worker(state: ServiceWorkerState, parameter: string | undefined): FakeServiceWorker {
  return new FakeServiceWorker(state, `${browser.base}sw.js?${parameter ?? ''}`);
}

/** The service worker's health answer names these services. */
function answers(services: string): void {
  const headers = { [INTERCEPTS_HEADER]: services };
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { headers })));
}

/** The fake registration has what `until` reads of a real one. */
function registration(): ServiceWorkerRegistration {
  return browser.container.registration as unknown as ServiceWorkerRegistration;
}

test('the services of all open pages are in the parameter, until a page stops', async () => {
  const [first, second] = [page([OPENAI]), page([OTHER])];
  expect(basesIn(await first.parameter())).toEqual([OPENAI]);
  expect(basesIn(await second.parameter())).toEqual([OPENAI, OTHER]);
  first.stopping.abort();
  await expect.poll(() => browser.locks.held).toHaveLength(1);
  expect(basesIn(await second.parameter())).toEqual([OTHER]);
});

test('a page without services has no parameter if no other page has one', async () => {
  expect(await page([]).parameter()).toBeUndefined();
});

test('a page that has stopped takes no service', async () => {
  const stopped = page([OPENAI]);
  stopped.stopping.abort(new Error('It has stopped.'));
  await expect(stopped.parameter()).rejects.toThrow('It has stopped.');
  expect(browser.locks.held).toEqual([]);
});

test('what is no list of URLs is an invalid option', () => {
  expect(() => page(['ftp://host/'])).toThrow(
    expect.objectContaining({ name: 'StartError', code: 'invalid_option' }),
  );
});

test('it waits until a service worker that names the services controls the page', async () => {
  const { parameter, until } = page([OPENAI]);
  const { container } = browser;
  const next = worker('installing', await parameter());
  container.registration.active = container.controller = worker('activated', undefined);
  container.registration.installing = next;
  answers(OPENAI);
  let isDone = false;
  const waiting = until(registration()).then(() => (isDone = true));
  await Promise.resolve();
  expect(isDone).toBe(false);
  container.registration.installing = null;
  container.registration.active = container.controller = next;
  next.become('activated');
  await waiting;
  expect(isDone).toBe(true);
});

test('a service worker that could not be installed is an error that names the services', async () => {
  const { until } = page([OPENAI]);
  browser.container.registration.active = worker('activated', undefined);
  await expect(until(registration())).rejects.toMatchObject({
    code: 'service_worker_failed',
    message: expect.stringContaining(OPENAI),
  });
});

test('a service worker of an older build, which intercepts nothing, is named', async () => {
  const { parameter, until } = page([OPENAI]);
  const old = worker('activated', await parameter());
  browser.container.registration.active = browser.container.controller = old;
  answers('');
  await expect(until(registration())).rejects.toMatchObject({
    message: expect.stringContaining('older than the page library'),
  });
});
