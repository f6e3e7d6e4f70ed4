import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { register } from '../../../../src/page/worker/register.ts';
import { regainControl } from '../../../../src/page/worker/regain-control.ts';
import { closeBrowser, openBrowser, type FakeBrowser } from '../../support/fakes/fake-browser.ts';
import { FakeServiceWorker } from '../../support/fakes/fake-service-worker.ts';

let browser: FakeBrowser;
let base: URL;
let registration: ServiceWorkerRegistration;
let stop: AbortController;

beforeEach(async () => {
  browser = openBrowser();
  base = new URL(browser.base);
  stop = new AbortController();
  registration = await navigator.serviceWorker.register('sw.js');
});

afterEach(closeBrowser);

const registered = () => browser.container.registered.slice(1);

test('a page whose requests reach the new service worker does nothing', async () => {
  browser.container.controller = new FakeServiceWorker();
  const fetched = vi.spyOn(globalThis, 'fetch');
  await regainControl(registration, base, stop.signal, register);
  expect(fetched).toHaveBeenCalledOnce();
  expect(registered()).toEqual([]);
});

test('a page whose requests do not reach it registers the script under another URL', async () => {
  await regainControl(registration, base, stop.signal, register);
  expect(registered()).toEqual([`${browser.base}sw.js?again=`]);
});

test('a page that has stopped does nothing', async () => {
  stop.abort();
  await regainControl(registration, base, stop.signal, register);
  expect(registered()).toEqual([]);
});
